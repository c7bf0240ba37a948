#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfDynamicQuantize(const NoDescriptor& /*descriptor*/) {
  OperatorTypes types = {TypeSet{DataType::kFloat32}, QuantizedTensors::kRefused};
  types.own_outputs = {{0, OutputRule::kFixed, DataType::kUInt8},
                       {1, OutputRule::kFixed, DataType::kFloat32},
                       {2, OutputRule::kFixed, DataType::kUInt8}};
  return types;
}

std::vector<TensorInfo> InferDynamicQuantize(const OperatorInputs& inputs,
                                             const NoDescriptor& /*descriptor*/) {
  return {inputs[0], TensorInfo(), TensorInfo()};
}

}  // namespace backplane
