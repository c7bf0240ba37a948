#include "graph/broadcast.hpp"
#include "graph/operators.hpp"

namespace backplane {

std::vector<TensorInfo> InferElementwiseBinary(const OperatorInputs& inputs,
                                               const ElementwiseBinaryDescriptor& descriptor) {
  inputs.RequireKnown(
      "operation", descriptor.operation,
      {BinaryOperation::kAdd, BinaryOperation::kSub, BinaryOperation::kMul, BinaryOperation::kDiv,
       BinaryOperation::kMaximum, BinaryOperation::kMinimum, BinaryOperation::kPower,
       BinaryOperation::kModulo, BinaryOperation::kRemainder, BinaryOperation::kSquaredDifference},
      "Add, Sub, Mul, Div, Maximum, Minimum, Power, Modulo, Remainder or "
      "SquaredDifference");
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

std::vector<TensorInfo> InferLogicalBinary(const OperatorInputs& inputs,
                                           const LogicalBinaryDescriptor& descriptor) {
  inputs.RequireKnown("operation", descriptor.operation,
                      {LogicalOperation::kAnd, LogicalOperation::kOr, LogicalOperation::kXor},
                      "And, Or or Xor");
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

std::vector<TensorInfo> InferBitwiseBinary(const OperatorInputs& inputs,
                                           const BitwiseBinaryDescriptor& descriptor) {
  inputs.RequireKnown("operation", descriptor.operation,
                      {BitwiseOperation::kAnd, BitwiseOperation::kOr, BitwiseOperation::kXor,
                       BitwiseOperation::kShiftLeft, BitwiseOperation::kShiftRight},
                      "And, Or, Xor, ShiftLeft or ShiftRight");
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

OperatorTypes GetTypesOfComparison(const ComparisonDescriptor& descriptor) {
  const bool is_equality = descriptor.operation == ComparisonOperation::kEqual ||
                           descriptor.operation == ComparisonOperation::kNotEqual;
  OperatorTypes types = {is_equality ? kAllTypes : kNumberTypes, QuantizedTensors::kRequantized};
  types.own_outputs = {{0, OutputRule::kFixed, DataType::kBool}};
  return types;
}

std::vector<TensorInfo> InferComparison(const OperatorInputs& inputs,
                                        const ComparisonDescriptor& descriptor) {
  inputs.RequireKnown("operation", descriptor.operation,
                      {ComparisonOperation::kEqual, ComparisonOperation::kNotEqual,
                       ComparisonOperation::kGreater, ComparisonOperation::kGreaterOrEqual,
                       ComparisonOperation::kLess, ComparisonOperation::kLessOrEqual},
                      "Equal, NotEqual, Greater, GreaterOrEqual, Less or LessOrEqual");
  return {TensorInfo(RequireBroadcast(inputs), DataType::kBool)};
}

}  // namespace backplane
