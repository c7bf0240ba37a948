#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfRange(const RangeDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
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

}  // namespace backplane
