#include "operators/normalization.hpp"
#include "operators/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

OperatorTypes GetTypesOfGroupNormalization(const GroupNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferGroupNormalization(const OperatorInputs& inputs,
                                                const GroupNormalizationDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  inputs.RequirePositive("num_groups", descriptor.num_groups);
  const std::int64_t num_channels = inputs[0].shape[1];
  if (num_channels % descriptor.num_groups != 0) {
    const std::string groups = std::to_string(descriptor.num_groups);
    inputs.Fail(DiagnosticCode::kWrongShape, "the groups do not divide the channels of the input",
                "found " + std::to_string(num_channels) + " channels in " +
                    DescribeTensor(inputs[0]) + " and " + groups +
                    " groups; expected a multiple of " + groups + " channels",
                "correct num_groups or the shape of the input");
  }
  RequireEntryPerChannel(inputs, 1, "the scale", 1);
  RequireEntryPerChannel(inputs, 2, "the bias", 1);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

}  // namespace backplane
