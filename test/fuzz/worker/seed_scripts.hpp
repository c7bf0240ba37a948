#pragma once

#include <string>
#include <vector>

namespace backplane::fuzz {

/// One script without a lie, and some with one of each kind, told at several times.
std::vector<std::string> MakeScripts();

}  // namespace backplane::fuzz
