#pragma once

/// Exponentials, logarithms and what is made of them, without branches, so that loops over them can
/// be vectorised. The coefficients are of polynomials fitted at Chebyshev nodes.

#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// x = exponent * log(2) + rest, where the exponent, an integer, is in the lowest bits of a number.
struct PowerParts {
  std::uint32_t shifted;  // ToBits(kRounder) above the exponent
  float rest;
};

/// For numbers of a size below 2^20.
CPUACC_INLINE PowerParts DividePower(float x) {
  constexpr float kLog2OfE = 1.44269504F;
  constexpr float kLog2High = 0.693359375F;  // times any exponent, exact
  constexpr float kLog2Low = -2.12194440e-4F;
  const float shifted = x * kLog2OfE + kRounder;
  const float exponent = shifted - kRounder;
  return {ToBits(shifted), (x - exponent * kLog2High) - exponent * kLog2Low};
}

/// As DividePower, where the exponential of the rest is 1 + `less_one`.
struct ReducedExponential {
  std::int32_t exponent;
  float less_one;
};

CPUACC_INLINE ReducedExponential ReduceExponential(float x) {
  const PowerParts parts = DividePower(x);
  const float r = parts.rest;
  float p = 0.001392692661F;
  p = p * r + 0.008363773874F;
  p = p * r + 0.04166655011F;
  p = p * r + 0.1666657338F;
  p = p * r + 0.5F;
  return {static_cast<std::int32_t>(parts.shifted - ToBits(kRounder)), r + r * r * p};
}

/// e to the power of x.
CPUACC_INLINE float Exp(float x) {
  constexpr float kGivesInfinity = 89.0F;
  constexpr float kGivesZero = -104.0F;
  x = x > kGivesInfinity ? kGivesInfinity : x;
  x = x < kGivesZero ? kGivesZero : x;
  const ReducedExponential reduced = ReduceExponential(x);
  // Two factors: the power itself may be larger than any number, or smaller.
  const std::int32_t half = reduced.exponent >> 1;
  return (1.0F + reduced.less_one) * PowerOfTwo(half) * PowerOfTwo(reduced.exponent - half);
}

/// e to the power of x, times 2 to the power of kShift, where both powers of 2 are normal numbers.
template <int kShift = 0>
CPUACC_INLINE float ExpOfBounded(float x) {
  const PowerParts parts = DividePower(x);
  const float r = parts.rest;
  float p = 0.008261517622F;
  p = p * r + 0.04189877957F;
  p = p * r + 0.1666811556F;
  p = p * r + 0.4999914169F;
  p = p * r + 0.9999995232F;
  p = p * r + 1.0F;
  // Multiples of 512 change no power, and kRounder's bits are one.
  return p * PowerOfTwo(static_cast<std::int32_t>(parts.shifted) + kShift);
}

constexpr float kLeastBounded = -87.0F;  // for ExpOfBounded
constexpr float kGreatestBounded = 88.0F;

/// As Exp, for numbers that are not above 0.
CPUACC_INLINE float ExpOfNegative(float x) {
  constexpr float kGivesZero = -104.0F;
  constexpr int kShift = 75;  // the power itself may be smaller than any normal number
  constexpr float kTwoToMinus75 = 2.646977960169689e-23F;
  return ExpOfBounded<kShift>(x < kGivesZero ? kGivesZero : x) * kTwoToMinus75;
}

/// As Exp, for numbers up to 88, but 0 for what is smaller than any normal number: where nothing
/// comes of such numbers, they only take time.
CPUACC_INLINE float ExpOrZero(float x) {
  const float power = ExpOfBounded(x < kLeastBounded ? kLeastBounded : x);
  return x < kLeastBounded ? 0.0F : power;
}

/// exp(x) - 1, exact also where that is small.
CPUACC_INLINE float ExpLessOne(float x) {
  constexpr float kGivesInfinity = 89.0F;
  constexpr float kGivesMinusOne = -18.0F;
  x = x > kGivesInfinity ? kGivesInfinity : x;
  x = x < kGivesMinusOne ? kGivesMinusOne : x;
  const ReducedExponential reduced = ReduceExponential(x);
  const float half = PowerOfTwo(reduced.exponent - 1);  // the power itself may be infinite
  return 2.0F * (half * reduced.less_one + (half - 0.5F));
}

/// Of a number from the least normal one to the greatest.
CPUACC_INLINE float LogOfNormal(float x) {
  constexpr float kLog2High = 0.693359375F;
  constexpr float kLog2Low = -2.12194440e-4F;
  constexpr std::uint32_t kSqrtOfHalfBits = 0x3f3504f3;
  // x = 2^exponent * (1 + f), where 1 + f is between the square roots of a half and of 2.
  const auto exponent = static_cast<std::int32_t>(ToBits(x) - kSqrtOfHalfBits) >> kFractionBits;
  const float f =
      FromBits(ToBits(x) - (static_cast<std::uint32_t>(exponent) << kFractionBits)) - 1.0F;
  const auto e = static_cast<float>(exponent);
  float p = 0.06971611471F;
  p = p * f - 0.1147973385F;
  p = p * f + 0.1168541992F;
  p = p * f - 0.1242568733F;
  p = p * f + 0.1424905765F;
  p = p * f - 0.1666780232F;
  p = p * f + 0.2000071575F;
  p = p * f - 0.2499999696F;
  p = p * f + 0.3333333118F;
  const float square = f * f;
  const float rest = f * square * p + e * kLog2Low;
  return (f + (rest - 0.5F * square)) + e * kLog2High;
}

/// The natural logarithm.
CPUACC_INLINE float Log(float x) {
  constexpr float kLeastNormal = 1.17549435e-38F;
  constexpr float kTwoTo23 = 8388608.0F;
  constexpr float kLogOfTwoTo23 = 15.9423851F;
  const bool is_small = x < kLeastNormal;
  float log = LogOfNormal(is_small ? x * kTwoTo23 : x) - (is_small ? kLogOfTwoTo23 : 0.0F);
  log = x < kInfinity ? log : x;
  log = x < 0.0F ? __builtin_nanf("") : log;
  return x == 0.0F ? -kInfinity : log;
}

/// log(1 + x), exact also where that is small, for x from 0 to 1.
CPUACC_INLINE float LogOfOneAnd(float x) {
  const float sum = 1.0F + x;
  return LogOfNormal(sum) + (x - (sum - 1.0F));
}

CPUACC_INLINE float Sigmoid(float x) {
  const float exponential = ExpOfNegative(-__builtin_fabsf(x));
  return (x < 0.0F ? exponential : 1.0F) / (1.0F + exponential);
}

/// Sigmoid as a factor: what is smaller than any normal number is as good as 0.
CPUACC_INLINE float SigmoidGate(float x) {
  const float bounded = x < -kGreatestBounded ? -kGreatestBounded : x;
  return 1.0F / (1.0F + ExpOfBounded(bounded > -kLeastBounded ? kLeastBounded : -bounded));
}

CPUACC_INLINE float Tanh(float x) {
  const float e = ExpLessOne(-2.0F * __builtin_fabsf(x));
  return __builtin_copysignf(e / (2.0F + e), x);
}

CPUACC_INLINE float Softplus(float x) {
  return (x > 0.0F ? x : 0.0F) + LogOfOneAnd(ExpOfNegative(-__builtin_fabsf(x)));
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
