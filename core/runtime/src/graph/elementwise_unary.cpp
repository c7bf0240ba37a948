#include "graph/operators.hpp"

namespace backplane {

namespace {

// The enumerators are numbered without a gap.
bool IsKnown(UnaryOperation operation) {
  return operation >= UnaryOperation::kAbs && operation <= UnaryOperation::kLogicalNot;
}

}  // namespace

OperatorTypes GetTypesOfElementwiseUnary(const ElementwiseUnaryDescriptor& descriptor) {
  switch (descriptor.operation) {
    case UnaryOperation::kAbs:
    case UnaryOperation::kNegate:
    case UnaryOperation::kSign:
      return {kNumberTypes, QuantizedTensors::kRequantized};
    case UnaryOperation::kBitwiseNot:
      return {kIntegerTypes, QuantizedTensors::kRefused};
    case UnaryOperation::kLogicalNot:
      return {kBoolType, QuantizedTensors::kRefused};
    default:
      return {kFloatTypes, QuantizedTensors::kRequantized};
  }
}

std::vector<TensorInfo> InferElementwiseUnary(const OperatorInputs& inputs,
                                              const ElementwiseUnaryDescriptor& descriptor) {
  if (!IsKnown(descriptor.operation)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
                "found number " + std::to_string(static_cast<std::uint32_t>(descriptor.operation)) +
                    "; expected a number from 1 (Abs) to " +
                    std::to_string(static_cast<std::uint32_t>(UnaryOperation::kLogicalNot)) +
                    " (LogicalNot)",
                "set operation to a value of UnaryOperation");
  }
  return {inputs[0]};
}

}  // namespace backplane
