#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace backplane::verdicts {

constexpr std::size_t kChecksumDigits = 16;

/// As many hexadecimal digits, which tell a text from one that was damaged by accident (FNV-1a).
/// Whoever may write the file can forge them.
std::string ComputeChecksum(std::string_view text);

}  // namespace backplane::verdicts
