#include "operators/broadcast.hpp"
#include "operators/operators.hpp"

namespace backplane {

namespace {

void CheckOperation(const OperatorInputs& inputs, LogicalOperation operation) {
  switch (operation) {
    case LogicalOperation::kAnd:
    case LogicalOperation::kOr:
    case LogicalOperation::kXor:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected And, Or or Xor",
              "set operation to a value of LogicalOperation");
}

}  // namespace

OperatorTypes GetTypesOfLogicalBinary(const LogicalBinaryDescriptor& /*descriptor*/) {
  return {kBoolType, QuantizedTensors::kRefused};
}

std::vector<TensorInfo> InferLogicalBinary(const OperatorInputs& inputs,
                                           const LogicalBinaryDescriptor& descriptor) {
  CheckOperation(inputs, descriptor.operation);
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

}  // namespace backplane
