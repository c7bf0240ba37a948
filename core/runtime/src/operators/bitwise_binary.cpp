#include "operators/broadcast.hpp"
#include "operators/operators.hpp"

namespace backplane {

namespace {

void CheckOperation(const OperatorInputs& inputs, BitwiseOperation operation) {
  switch (operation) {
    case BitwiseOperation::kAnd:
    case BitwiseOperation::kOr:
    case BitwiseOperation::kXor:
    case BitwiseOperation::kShiftLeft:
    case BitwiseOperation::kShiftRight:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected And, Or, Xor, ShiftLeft or ShiftRight",
              "set operation to a value of BitwiseOperation");
}

}  // namespace

OperatorTypes GetTypesOfBitwiseBinary(const BitwiseBinaryDescriptor& /*descriptor*/) {
  return {kIntegerTypes, QuantizedTensors::kRefused};
}

std::vector<TensorInfo> InferBitwiseBinary(const OperatorInputs& inputs,
                                           const BitwiseBinaryDescriptor& descriptor) {
  CheckOperation(inputs, descriptor.operation);
  return {TensorInfo(RequireBroadcast(inputs), inputs[0].data_type)};
}

}  // namespace backplane
