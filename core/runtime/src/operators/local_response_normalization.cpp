#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfLocalResponseNormalization(
    const LocalResponseNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferLocalResponseNormalization(
    const OperatorInputs& inputs, const LocalResponseNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  inputs.RequirePositive("size", descriptor.size);
  RequireFinite(inputs, "alpha", descriptor.alpha);
  RequireFinite(inputs, "beta", descriptor.beta);
  RequireFinite(inputs, "bias", descriptor.bias);
  return {inputs[0]};
}

}  // namespace backplane
