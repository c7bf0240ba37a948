#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfInstanceNormalization(
    const InstanceNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferInstanceNormalization(
    const OperatorInputs& inputs, const InstanceNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  RequireEntryPerChannel(inputs, 1, "the scale", 1);
  RequireEntryPerChannel(inputs, 2, "the bias", 1);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

}  // namespace backplane
