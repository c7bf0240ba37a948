#include "graph/operators.hpp"

namespace backplane {

std::vector<TensorInfo> InferDeterminant(const OperatorInputs& inputs,
                                         const NoDescriptor& /*descriptor*/) {
  inputs.RequireRankAtLeast(0, "the input", 2);
  const TensorShape& matrices = inputs[0].shape;
  inputs.RequireExtent(0, "the matrices", matrices.rank - 1, matrices[matrices.rank - 2],
                       "as many columns as rows");
  TensorShape shape;
  for (std::uint32_t axis = 0; axis + 2 < matrices.rank; ++axis) shape.Append(matrices[axis]);
  return {TensorInfo(shape, inputs[0].data_type)};
}

}  // namespace backplane
