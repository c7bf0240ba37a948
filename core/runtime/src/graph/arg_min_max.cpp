#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

// Among no elements none is the greatest.
void RequireElements(const OperatorInputs& inputs, std::uint32_t axis) {
  if (inputs[0].shape[axis] > 0) return;
  inputs.Fail(DiagnosticCode::kWrongShape, "there is nothing to choose from",
              "found extent 0 at axis " + std::to_string(axis) + " of " +
                  DescribeTensor(inputs[0]) + " as input 0; expected 1 or more",
              "correct the shape of the input");
}

}  // namespace

std::vector<TensorInfo> InferArgMinMax(const OperatorInputs& inputs,
                                       const ArgMinMaxDescriptor& descriptor) {
  inputs.RequireKnown("operation", descriptor.operation,
                      {ArgOperation::kMinimum, ArgOperation::kMaximum}, "Minimum or Maximum");
  inputs.RequireFlag("keep_dims", descriptor.keep_dims);
  inputs.RequireFlag("select_last", descriptor.select_last);
  inputs.RequireAxisOfInput(descriptor.axis);
  RequireElements(inputs, descriptor.axis);
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < inputs[0].shape.rank; ++axis) {
    if (axis != descriptor.axis) shape.Append(inputs[0].shape[axis]);
    if (axis == descriptor.axis && descriptor.keep_dims != 0) shape.Append(1);
  }
  return {TensorInfo(shape, DataType::kInt64)};
}

}  // namespace backplane
