#pragma once

/// float32 numbers as their bits, and what the bits make easy.

#include <cstdint>

#define CPUACC_INLINE inline __attribute__((always_inline))

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

constexpr float kInfinity = __builtin_inff();
constexpr int kFractionBits = 23;
constexpr std::uint32_t kExponentOfOne = 127;

CPUACC_INLINE std::uint32_t ToBits(float x) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  return bits;
}

CPUACC_INLINE float FromBits(std::uint32_t bits) {
  float x = 0.0F;
  __builtin_memcpy(&x, &bits, sizeof(x));
  return x;
}

/// 2 to the power of an integer from -126 to 127. Multiples of 512 that are added change nothing.
CPUACC_INLINE float PowerOfTwo(std::int32_t exponent) {
  return FromBits((static_cast<std::uint32_t>(exponent) + kExponentOfOne) << kFractionBits);
}

/// Added to a number, it moves the integer that is nearest into the lowest bits: for numbers
/// smaller than 2^22.
constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23

/// To the nearest integer, of two the even one. The sign stays, also of 0.
CPUACC_INLINE float Round(float x) {
  constexpr float kAllAreIntegers = 8388608.0F;  // 2^23
  const float size = __builtin_fabsf(x);
  const float rounded = (size + kAllAreIntegers) - kAllAreIntegers;
  return size < kAllAreIntegers ? __builtin_copysignf(rounded, x) : x;
}

CPUACC_INLINE float Floor(float x) {
  const float rounded = Round(x);
  return rounded > x ? rounded - 1.0F : rounded;
}

CPUACC_INLINE float Ceil(float x) {
  const float rounded = Round(x);
  return __builtin_copysignf(rounded < x ? rounded + 1.0F : rounded, x);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
