#include "operators/broadcast.hpp"
#include "operators/operators.hpp"

namespace backplane {

namespace {

void CheckOperation(const OperatorInputs& inputs, ComparisonOperation operation) {
  switch (operation) {
    case ComparisonOperation::kEqual:
    case ComparisonOperation::kNotEqual:
    case ComparisonOperation::kGreater:
    case ComparisonOperation::kGreaterOrEqual:
    case ComparisonOperation::kLess:
    case ComparisonOperation::kLessOrEqual:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected Equal, NotEqual, Greater, GreaterOrEqual, Less or LessOrEqual",
              "set operation to a value of ComparisonOperation");
}

}  // namespace

OperatorTypes GetTypesOfComparison(const ComparisonDescriptor& descriptor) {
  const bool is_equality = descriptor.operation == ComparisonOperation::kEqual ||
                           descriptor.operation == ComparisonOperation::kNotEqual;
  OperatorTypes types = {is_equality ? kAllTypes : kNumberTypes, QuantizedTensors::kRequantized};
  types.own_outputs = {{0, OutputRule::kFixed, DataType::kBool}};
  return types;
}

std::vector<TensorInfo> InferComparison(const OperatorInputs& inputs,
                                        const ComparisonDescriptor& descriptor) {
  CheckOperation(inputs, descriptor.operation);
  return {TensorInfo(RequireBroadcast(inputs), DataType::kBool)};
}

}  // namespace backplane
