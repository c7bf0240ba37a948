#pragma once

/// The upper half of a float32: 1 sign bit, 8 of the exponent, 7 of the fraction.

#include <cstdint>
#include <cstring>

namespace backplane {
namespace reference {

struct BFloat16 {
  std::uint16_t bits;
};

/// Exact for every value.
inline float ToFloat32(BFloat16 brain) {
  const std::uint32_t word = static_cast<std::uint32_t>(brain.bits) << 16U;
  float value = 0.0F;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

/// Rounds to nearest, ties to even; beyond the largest value that gives infinity. NaN stays NaN.
inline BFloat16 ToBFloat16(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  if ((word & 0x7fffffffU) > 0x7f800000U) {
    return {static_cast<std::uint16_t>((word >> 16U) | 0x40U)};
  }
  const std::uint32_t is_odd = (word >> 16U) & 1U;
  return {static_cast<std::uint16_t>((word + 0x7fffU + is_odd) >> 16U)};
}

}  // namespace reference
}  // namespace backplane
