#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace backplane::report {

/// Any bytes as valid UTF-8, one character for each byte, so that they fit into JSON. ASCII stays
/// as it is.
std::string PackBytes(std::string_view bytes);

/// The bytes again. Nothing: the text is not what PackBytes makes.
std::optional<std::string> UnpackBytes(std::string_view text);

}  // namespace backplane::report
