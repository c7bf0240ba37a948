#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfReinterpret(const NoDescriptor& /*descriptor*/) {
  OperatorTypes types = {kQuantizableTypes, QuantizedTensors::kMoved};
  types.own_outputs = {{0, OutputRule::kRestated}};
  return types;
}

std::vector<TensorInfo> InferReinterpret(const OperatorInputs& inputs,
                                         const NoDescriptor& /*descriptor*/) {
  return {inputs[0]};
}

}  // namespace backplane
