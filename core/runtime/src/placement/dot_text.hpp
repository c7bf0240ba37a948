#pragma once

#include <string>

namespace backplane {

/// Between two lines of a label or tooltip of DOT.
constexpr char kDotLineBreak[] = "\\n";

/// A name within the quotes of a label: neither the quotes, nor the escapes of labels, nor their
/// entities may be read into it.
std::string EscapeForDot(const std::string& name);

}  // namespace backplane
