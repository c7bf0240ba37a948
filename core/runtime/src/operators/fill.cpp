#include "operators/operators.hpp"
#include "operators/wanted_shape.hpp"

namespace backplane {

OperatorTypes GetTypesOfFill(const FillDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferFill(const OperatorInputs& inputs, const FillDescriptor& descriptor) {
  inputs.RequireRank(0, "the value", 0, "a scalar");
  TensorInfo output = inputs[0];
  output.shape = GetWantedShape(inputs, descriptor.rank, descriptor.dims);
  return {output};
}

}  // namespace backplane
