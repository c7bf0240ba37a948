#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfCast(const CastDescriptor& descriptor) {
  OperatorTypes types = {kAllTypes, QuantizedTensors::kRefused};
  types.own_outputs = {{0, OutputRule::kFixed, descriptor.to}};
  return types;
}

std::vector<TensorInfo> InferCast(const OperatorInputs& inputs, const CastDescriptor& descriptor) {
  inputs.RequireDataType("to", descriptor.to, kAllTypes);
  return {inputs[0]};
}

}  // namespace backplane
