#include "operators/operators.hpp"

#include <cmath>

namespace backplane {

OperatorTypes GetTypesOfSoftmax(const SoftmaxDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferSoftmax(const OperatorInputs& inputs,
                                     const SoftmaxDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  if (!std::isfinite(descriptor.beta)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "beta is not finite",
                "found " + std::to_string(descriptor.beta) + "; expected a finite number",
                "set beta, usually to 1");
  }
  return {inputs[0]};
}

}  // namespace backplane
