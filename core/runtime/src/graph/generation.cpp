#include "graph/operators.hpp"

namespace backplane {

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

std::vector<TensorInfo> InferSize(const OperatorInputs& /*inputs*/,
                                  const NoDescriptor& /*descriptor*/) {
  return {TensorInfo({}, DataType::kInt64)};
}

std::vector<TensorInfo> InferRange(const OperatorInputs& inputs,
                                   const RangeDescriptor& descriptor) {
  inputs.RequireRank(0, "the start", 0, "a scalar");
  inputs.RequireRank(1, "the delta", 0, "a scalar");
  if (descriptor.count < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the count is negative",
                "found " + std::to_string(descriptor.count) + "; expected 0 or more",
                "correct the count");
  }
  return {TensorInfo({descriptor.count}, inputs[0].data_type)};
}

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

OperatorTypes GetTypesOfWindowFunction(const WindowFunctionDescriptor& descriptor) {
  return {
      kFloatTypes, QuantizedTensors::kRefused, {}, {{0, OutputRule::kFixed, descriptor.data_type}}};
}

std::vector<TensorInfo> InferWindowFunction(const OperatorInputs& inputs,
                                            const WindowFunctionDescriptor& descriptor) {
  inputs.RequireKnown("function", descriptor.function,
                      {WindowFunction::kHann, WindowFunction::kHamming, WindowFunction::kBlackman},
                      "Hann, Hamming or Blackman");
  inputs.RequireFlag("is_periodic", descriptor.is_periodic);
  inputs.RequireDataType("data_type", descriptor.data_type, kFloatTypes);
  if (descriptor.size < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "size is negative",
                "found " + std::to_string(descriptor.size) + "; expected 0 or more",
                "set size to the number of elements");
  }
  return {TensorInfo({descriptor.size}, descriptor.data_type)};
}

std::vector<TensorInfo> InferTriangularPart(const OperatorInputs& inputs,
                                            const TriangularPartDescriptor& descriptor) {
  inputs.RequireKnown("part", descriptor.part, {Triangle::kUpper, Triangle::kLower},
                      "Upper or Lower");
  inputs.RequireRankAtLeast(0, "the input", 2);
  return {inputs[0]};
}

}  // namespace backplane
