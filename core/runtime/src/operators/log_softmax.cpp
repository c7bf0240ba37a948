#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfLogSoftmax(const SoftmaxDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferLogSoftmax(const OperatorInputs& inputs,
                                        const SoftmaxDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireFinite(inputs, "beta", descriptor.beta);
  return {inputs[0]};
}

}  // namespace backplane
