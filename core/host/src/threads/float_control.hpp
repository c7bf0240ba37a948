/// How the calling thread computes floating-point numbers: a file for each processor.
#pragma once

#include <cstdint>
#include <string>

namespace backplane::threads {

/// The control words, without the flags that arithmetic sets.
struct FloatControl {
  std::uint64_t words[2] = {};
};

FloatControl ReadFloatControl() noexcept;

/// Flags that arithmetic has set stay, but for those that a trap would spring for at once.
void WriteFloatControl(const FloatControl& control) noexcept;

/// "to nearest", "upward", ...
std::string DescribeRounding(const FloatControl& control);
/// "kept", "flushed to zero", ...
std::string DescribeDenormals(const FloatControl& control);
/// "none", or which.
std::string DescribeTraps(const FloatControl& control);
/// "extended", ...; "" where there is nothing of the kind.
std::string DescribePrecision(const FloatControl& control);

}  // namespace backplane::threads
