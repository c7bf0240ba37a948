#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfEyeLike(const EyeLikeDescriptor& descriptor) {
  return {
      kStoredTypes, QuantizedTensors::kMoved, {}, {{0, OutputRule::kFixed, descriptor.data_type}}};
}

std::vector<TensorInfo> InferEyeLike(const OperatorInputs& inputs,
                                     const EyeLikeDescriptor& descriptor) {
  inputs.RequireRank(0, "the input", 2, "[rows, columns]");
  if (!kStoredTypes.Has(descriptor.data_type)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "data_type is not known",
                "found number " + std::to_string(static_cast<std::uint32_t>(descriptor.data_type)) +
                    "; expected " + DescribeTypes(kStoredTypes),
                "set data_type to one of these");
  }
  return {TensorInfo(inputs[0].shape, descriptor.data_type)};
}

}  // namespace backplane
