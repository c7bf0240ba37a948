#pragma once

#include <string>
#include <string_view>

namespace backplane::fuzz {

/// Has a host use a backend whose process lies as the bytes say, and then honest ones. What is
/// wrong with the host; "" unless it is.
std::string RunScript(std::string_view bytes);

}  // namespace backplane::fuzz
