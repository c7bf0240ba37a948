#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfShape(const ShapeDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved, {}, {{0, OutputRule::kFixed, DataType::kInt64}}};
}

std::vector<TensorInfo> InferShape(const OperatorInputs& inputs,
                                   const ShapeDescriptor& descriptor) {
  const std::uint32_t rank = inputs[0].shape.rank;
  if (descriptor.start > descriptor.end || descriptor.end > rank) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "start and end are not a range of axes",
                "found start " + std::to_string(descriptor.start) + " and end " +
                    std::to_string(descriptor.end) + "; expected start <= end <= " +
                    std::to_string(rank) + ", the rank of the input",
                "correct start or end");
  }
  return {TensorInfo({std::int64_t{descriptor.end} - descriptor.start}, DataType::kInt64)};
}

}  // namespace backplane
