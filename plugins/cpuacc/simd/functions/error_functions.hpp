#pragma once

/// The error function and what is made of it. The coefficients are of polynomials fitted at
/// Chebyshev nodes.

#include "simd/functions/exponentials.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// 1 - erf(x) for x from 0 on: exp(-x^2) times a polynomial of 1 / (1 + 0.35 x), exact to a
/// millionth also where it is small.
CPUACC_INLINE float ComplementOfErf(float x) {
  const float w = 1.0F / (1.0F + 0.35F * x);
  float p = 0.0366547279F;
  p = p * w - 0.1495435352F;
  p = p * w + 0.1596412149F;
  p = p * w + 0.00104561349F;
  p = p * w + 0.06340511023F;
  p = p * w + 0.1585546898F;
  p = p * w + 0.1469157809F;
  p = p * w + 0.1888063984F;
  p = p * w + 0.1970307378F;
  p = p * w + 0.1974892664F;
  return p * w * ExpOrZero(-(x * x));
}

CPUACC_INLINE float ErfOfSmall(float x) {
  const float square = x * x;
  float p = 7.875875063e-5F;
  p = p * square - 0.0008016864287F;
  p = p * square + 0.005189087423F;
  p = p * square - 0.02685421201F;
  p = p * square + 0.1128359472F;
  p = p * square - 0.3761262667F;
  p = p * square + 1.128379166F;
  return p * x;
}

CPUACC_INLINE float Erf(float x) {
  const float size = __builtin_fabsf(x);
  const float large = __builtin_copysignf(1.0F - ComplementOfErf(size), x);
  return size < 1.0F ? ErfOfSmall(x) : large;
}

/// The share of a normal distribution that is below x.
CPUACC_INLINE float NormalDistribution(float x) {
  constexpr float kSqrtOfHalf = 0.707106781F;
  const float half = 0.5F * ComplementOfErf(kSqrtOfHalf * __builtin_fabsf(x));
  return x < 0.0F ? half : 1.0F - half;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
