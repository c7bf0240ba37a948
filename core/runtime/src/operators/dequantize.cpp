#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfDequantize(const DequantizeDescriptor& descriptor) {
  OperatorTypes types = {TypeSet{}, QuantizedTensors::kInRange};
  types.own_outputs = {{0, OutputRule::kFixed, descriptor.to}};
  return types;
}

std::vector<TensorInfo> InferDequantize(const OperatorInputs& inputs,
                                        const DequantizeDescriptor& descriptor) {
  inputs.RequireDataType("to", descriptor.to, kFloatTypes);
  return {inputs[0]};
}

}  // namespace backplane
