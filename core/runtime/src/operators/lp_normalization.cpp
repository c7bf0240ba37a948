#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfLpNormalization(const LpNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferLpNormalization(const OperatorInputs& inputs,
                                             const LpNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  if (descriptor.order != 1 && descriptor.order != 2) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "order is out of range",
                "found " + std::to_string(descriptor.order) + "; expected 1 or 2",
                "set order to 1 or 2");
  }
  return {inputs[0]};
}

}  // namespace backplane
