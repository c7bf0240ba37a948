#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

void CheckAxes(const OperatorInputs& inputs, const DftDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  inputs.RequireAxis(descriptor.axis);
  const TensorShape& shape = inputs[0].shape;
  const std::uint32_t last = shape.rank - 1;
  if (descriptor.axis == last) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the axis is that of the parts of a number",
                "found axis " + std::to_string(last) + ", the last of " +
                    DescribeTensor(inputs[0]) + "; expected less than " + std::to_string(last),
                "name the axis along which to transform");
  }
  if (shape[last] == 1 || shape[last] == 2) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "the last axis of the input does not hold numbers",
              "found " + DescribeTensor(inputs[0]) +
                  "; expected the last extent to be 1, real numbers, or 2, real and imaginary part",
              "reshape the input");
}

void CheckFlags(const OperatorInputs& inputs, const DftDescriptor& descriptor) {
  inputs.RequireFlag("is_inverse", descriptor.is_inverse);
  inputs.RequireFlag("is_one_sided", descriptor.is_one_sided);
  if (descriptor.is_inverse == 0 || descriptor.is_one_sided == 0) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "an inverse transform is not one-sided",
              "found is_inverse 1 and is_one_sided 1; expected one of them to be 0",
              "transform the whole spectrum back");
}

std::int64_t GetLength(const OperatorInputs& inputs, const DftDescriptor& descriptor) {
  const std::int64_t extent = inputs[0].shape[descriptor.axis];
  const std::int64_t length = descriptor.length == 0 ? extent : descriptor.length;
  if (length > 0) return length;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the length is out of range",
              "found length " + std::to_string(descriptor.length) + " and extent " +
                  std::to_string(extent) +
                  " of the axis; expected a length of 1 or more, or 0 and "
                  "an axis with elements",
              "set length to the number of elements to transform");
}

}  // namespace

std::vector<TensorInfo> InferDft(const OperatorInputs& inputs, const DftDescriptor& descriptor) {
  CheckAxes(inputs, descriptor);
  CheckFlags(inputs, descriptor);
  const std::int64_t length = GetLength(inputs, descriptor);
  TensorInfo output = inputs[0];
  output.shape[descriptor.axis] = descriptor.is_one_sided == 1 ? length / 2 + 1 : length;
  output.shape[output.shape.rank - 1] = 2;
  return {output};
}

}  // namespace backplane
