#include "simd/functions/error_functions.hpp"
#include "simd/functions/exponentials.hpp"
#include "simd/functions/functions.hpp"
#include "simd/functions/loops.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// Comparisons are written so that NaN stays NaN.
CPUACC_INLINE float Bound(float x, float least, float greatest) {
  const float bounded_below = x < least ? least : x;
  return bounded_below > greatest ? greatest : bounded_below;
}

/// x * gate, where a closed gate is 0 also for an infinite x.
CPUACC_INLINE float PassGate(float x, float gate) {
  return gate == 0.0F ? 0.0F : x * gate;
}

/// x / (1 + exp(power)), and 0 where the power is so large that this is as good as 0, also of an
/// infinite x. By a mask, as compilers branch around a division of which nothing comes.
CPUACC_INLINE float DivideByOneAndExp(float x, float power) {
  const std::uint32_t mask = power > kGreatestBounded ? 0U : ~0U;
  const float bounded = power > kGreatestBounded ? kGreatestBounded : power;
  const float exponential = ExpOfBounded(bounded < kLeastBounded ? kLeastBounded : bounded);
  return FromBits(ToBits(x) & mask) / (1.0F + exponential);
}

/// (1 + tanh(y)) / 2 is sigmoid(2 * y).
CPUACC_INLINE float GeluTanH(float x) {
  constexpr float kTwiceSqrtOfTwoByPi = 1.59576912F;
  constexpr float kCubic = 0.044715F;
  return DivideByOneAndExp(x, -kTwiceSqrtOfTwoByPi * (x + kCubic * x * x * x));
}

CPUACC_INLINE float Softsign(float x) {
  const float size = __builtin_fabsf(x);
  return size == kInfinity ? __builtin_copysignf(1.0F, x) : x / (1.0F + size);
}

/// tanh(log(1 + e)) is n / (n + 2) with n = e * (e + 2); from 20 on it is 1.
CPUACC_INLINE float GateOfMish(float x) {
  constexpr float kGivesOne = 20.0F;
  const float e = ExpOrZero(x > kGivesOne ? kGivesOne : x);
  const float n = e * (e + 2.0F);
  return n / (n + 2.0F);
}

CPUACC_INLINE float Shrink(float x, float a, float b) {
  const float right = x > a ? x - b : 0.0F;
  return x < -a ? x + b : right;
}

void FillActivations(ElementFunctions& functions) {
  using F = ActivationFunction;
#define CPUACC_ACTIVATION(name, result)                                             \
  functions.activations[static_cast<std::size_t>(F::k##name)] =                     \
      [](const float* in, float* out, std::int64_t count, [[maybe_unused]] float a, \
         [[maybe_unused]] float b) { Map(in, out, count, [=](float x) { return result; }); };
  CPUACC_ACTIVATION(Relu, x < 0.0F ? 0.0F : x)
  CPUACC_ACTIVATION(BoundedRelu, Bound(x, b, a))
  CPUACC_ACTIVATION(LeakyRelu, x >= 0.0F ? x : a * x)
  CPUACC_ACTIVATION(Sigmoid, Sigmoid(x))
  CPUACC_ACTIVATION(TanH, a * Tanh(b * x))
  CPUACC_ACTIVATION(Elu, x >= 0.0F ? x : a * ExpLessOne(x))
  CPUACC_ACTIVATION(Selu, x > 0.0F ? b * x : b * a * ExpLessOne(x))
  CPUACC_ACTIVATION(Celu, x >= 0.0F ? x : a * ExpLessOne(x / a))
  CPUACC_ACTIVATION(Gelu, PassGate(x, NormalDistribution(x)))
  CPUACC_ACTIVATION(GeluTanH, GeluTanH(x))
  CPUACC_ACTIVATION(HardSigmoid, Bound(a * x + b, 0.0F, 1.0F))
  CPUACC_ACTIVATION(HardSwish, PassGate(x, Bound(x / 6.0F + 0.5F, 0.0F, 1.0F)))
  CPUACC_ACTIVATION(Swish, DivideByOneAndExp(x, -a * x))
  CPUACC_ACTIVATION(Softplus, Softplus(x))
  CPUACC_ACTIVATION(Softsign, Softsign(x))
  CPUACC_ACTIVATION(Mish, PassGate(x, GateOfMish(x)))
  CPUACC_ACTIVATION(ThresholdedRelu, x > a ? x : 0.0F)
  CPUACC_ACTIVATION(Shrink, Shrink(x, a, b))
  CPUACC_ACTIVATION(Linear, a * x + b)
#undef CPUACC_ACTIVATION
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
