#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfHardmax(const HardmaxDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferHardmax(const OperatorInputs& inputs,
                                     const HardmaxDescriptor& descriptor) {
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  return {inputs[0]};
}

}  // namespace backplane
