#include "operators/broadcast.hpp"
#include "operators/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

namespace {

void CheckOperation(const OperatorInputs& inputs, BinaryOperation operation) {
  switch (operation) {
    case BinaryOperation::kAdd:
    case BinaryOperation::kSub:
    case BinaryOperation::kMul:
    case BinaryOperation::kDiv:
    case BinaryOperation::kMaximum:
    case BinaryOperation::kMinimum:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected Add, Sub, Mul, Div, Maximum or Minimum",
              "set operation to a value of BinaryOperation");
}

}  // namespace

OperatorTypes GetTypesOfElementwiseBinary(const ElementwiseBinaryDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferElementwiseBinary(const OperatorInputs& inputs,
                                               const ElementwiseBinaryDescriptor& descriptor) {
  CheckOperation(inputs, descriptor.operation);
  const auto shape = BroadcastShapes(inputs[0].shape, inputs[1].shape);
  if (!shape) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its inputs do not broadcast",
                "found " + DescribeShape(inputs[0].shape) + " and " +
                    DescribeShape(inputs[1].shape) +
                    "; expected extents that are equal or 1, counted from the innermost axis",
                "reshape one of the inputs");
  }
  return {TensorInfo(*shape, inputs[0].data_type)};
}

}  // namespace backplane
