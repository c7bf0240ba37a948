#pragma once

/// IEEE 754 half precision: 1 sign bit, 5 of the exponent, 10 of the fraction.

#include <cstdint>
#include <cstring>

namespace backplane {
namespace cpu_layers {

struct Float16 {
  std::uint16_t bits;
};

/// Exact for every value; NaN stays NaN.
inline float ToFloat32(Float16 half) {
  constexpr std::uint32_t kInfinity = 0x7c00U;
  const std::uint32_t magnitude = half.bits & 0x7fffU;
  std::uint32_t word = magnitude << 13U;
  float value = 0.0F;
  std::memcpy(&value, &word, sizeof(value));
  // The exponents differ by 112; the multiplication also makes subnormal halves normal.
  value *= 0x1p112F;
  std::memcpy(&word, &value, sizeof(word));
  if (magnitude >= kInfinity) word |= 0x7f800000U;
  word |= static_cast<std::uint32_t>(half.bits & 0x8000U) << 16U;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

/// Rounds to nearest, ties to even; beyond the largest half that gives infinity. NaN stays NaN.
inline Float16 ToFloat16(float value) {
  constexpr std::uint32_t kSmallestNormal = 0x38800000U;  // 2^-14
  constexpr std::uint32_t kBeyondLargest = 0x477ff000U;   // 65520, halfway to 2^16
  constexpr std::uint32_t kInfinity = 0x7f800000U;
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof(word));
  const std::uint32_t sign = (word >> 16U) & 0x8000U;
  const std::uint32_t magnitude = word & 0x7fffffffU;
  std::uint32_t half = 0;
  if (magnitude > kInfinity) {
    half = 0x7e00U | ((magnitude >> 13U) & 0x3ffU);
  } else if (magnitude >= kBeyondLargest) {
    half = 0x7c00U;
  } else if (magnitude >= kSmallestNormal) {
    const std::uint32_t is_odd = (magnitude >> 13U) & 1U;
    half = (magnitude + 0xfffU + is_odd - 0x38000000U) >> 13U;
  } else {
    // The last bit of a float between 0.5 and 1 weighs 2^-24, as that of a subnormal half does.
    float small = 0.0F;
    std::memcpy(&small, &magnitude, sizeof(small));
    small += 0.5F;
    std::memcpy(&half, &small, sizeof(half));
    half -= 0x3f000000U;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

}  // namespace cpu_layers
}  // namespace backplane
