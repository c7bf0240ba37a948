#pragma once

#include <string>
#include <vector>

namespace backplane {

/// The rows as lines of a table: every column but the last is as wide as its widest cell, and no
/// line ends in spaces.
std::string AlignRows(const std::vector<std::vector<std::string>>& rows);

}  // namespace backplane
