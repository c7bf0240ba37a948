#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused. NaN gives NaN, but with ThresholdedRelu and Shrink it gives 0.
enum class ActivationFunction : std::uint32_t {
  kRelu = 1,              // max(0, x)
  kBoundedRelu = 2,       // min(alpha, max(beta, x))
  kLeakyRelu = 3,         // x >= 0 ? x : alpha * x
  kSigmoid = 4,           // 1 / (1 + exp(-x))
  kTanH = 5,              // alpha * tanh(beta * x)
  kElu = 6,               // x >= 0 ? x : alpha * (exp(x) - 1)
  kSelu = 7,              // x > 0 ? beta * x : beta * alpha * (exp(x) - 1)
  kCelu = 8,              // x >= 0 ? x : alpha * (exp(x / alpha) - 1); alpha is not 0
  kGelu = 9,              // x / 2 * (1 + erf(x / sqrt(2)))
  kGeluTanH = 10,         // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
  kHardSigmoid = 11,      // max(0, min(1, alpha * x + beta))
  kHardSwish = 12,        // x * max(0, min(1, x / 6 + 1 / 2))
  kSwish = 13,            // x / (1 + exp(-alpha * x)); with alpha 1 also called SiLU
  kSoftplus = 14,         // log(1 + exp(x))
  kSoftsign = 15,         // x / (1 + |x|)
  kMish = 16,             // x * tanh(log(1 + exp(x)))
  kThresholdedRelu = 17,  // x > alpha ? x : 0
  kShrink = 18,           // x < -alpha ? x + beta : x > alpha ? x - beta : 0
  kLinear = 19,           // alpha * x + beta
};

/// On integers, only Relu, BoundedRelu and Shrink are defined. Bounds are then drawn inwards to the
/// next integer, and the results of Shrink are rounded towards zero.
struct ActivationDescriptor : Descriptor<ActivationDescriptor> {
  ActivationFunction function = ActivationFunction::kRelu;
  float alpha = 1.0F;
  float beta = 1.0F;
};
BACKPLANE_CHECK_DESCRIPTOR(ActivationDescriptor, beta);

}  // namespace backplane
