#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfBatchNormalization(const BatchNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferBatchNormalization(const OperatorInputs& inputs,
                                                const BatchNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  const char* roles[] = {"the scale", "the bias", "the mean", "the variance"};
  for (std::size_t i = 0; i < 4; ++i) {
    RequireEntryPerChannel(inputs, i + 1, roles[i], descriptor.axis);
  }
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

}  // namespace backplane
