#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfQuantize(const NoDescriptor& /*descriptor*/) {
  OperatorTypes types = {kFloatTypes, QuantizedTensors::kRefused};
  types.own_outputs = {{0, OutputRule::kStatedQuantized}};
  return types;
}

std::vector<TensorInfo> InferQuantize(const OperatorInputs& inputs,
                                      const NoDescriptor& /*descriptor*/) {
  return {inputs[0]};
}

}  // namespace backplane
