#include "operators/broadcast.hpp"
#include "operators/operators.hpp"

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
    case BinaryOperation::kPower:
    case BinaryOperation::kModulo:
    case BinaryOperation::kRemainder:
    case BinaryOperation::kSquaredDifference:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected Add, Sub, Mul, Div, Maximum, Minimum, Power, Modulo, Remainder or "
                  "SquaredDifference",
              "set operation to a value of BinaryOperation");
}

}  // namespace

OperatorTypes GetTypesOfElementwiseBinary(const ElementwiseBinaryDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferElementwiseBinary(const OperatorInputs& inputs,
                                               const ElementwiseBinaryDescriptor& descriptor) {
  CheckOperation(inputs, descriptor.operation);
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

}  // namespace backplane
