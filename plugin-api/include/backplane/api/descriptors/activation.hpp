#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class ActivationFunction : std::uint32_t {
  kRelu = 1,         // max(0, x)
  kBoundedRelu = 2,  // min(alpha, max(beta, x))
  kLeakyRelu = 3,    // x >= 0 ? x : alpha * x
  kSigmoid = 4,      // 1 / (1 + exp(-x))
  kTanH = 5,         // alpha * tanh(beta * x)
};

struct ActivationDescriptor : Descriptor<ActivationDescriptor> {
  ActivationFunction function = ActivationFunction::kRelu;
  float alpha = 1.0F;
  float beta = 1.0F;
};
BACKPLANE_CHECK_DESCRIPTOR(ActivationDescriptor, beta);

}  // namespace backplane
