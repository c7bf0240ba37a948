#include "operators/index_source.hpp"
#include "operators/joined_shape.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/scatter.hpp"

namespace backplane {

OperatorTypes GetTypesOfScatterNd(const ScatterNdDescriptor& descriptor) {
  return GetTypesOfScatter(descriptor.reduction);
}

std::vector<TensorInfo> InferScatterNd(const OperatorInputs& inputs,
                                       const ScatterNdDescriptor& descriptor) {
  CheckReduction(inputs, descriptor.reduction);
  inputs.RequireRankAtLeast(1, "the indices", 1);
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  const std::uint32_t length = RequirePositionLength(inputs, values.rank);
  RequireUpdates(inputs, JoinAxes(inputs, {{indices, 0, indices.rank - 1},
                                           {values, length, values.rank - length}}));
  if (descriptor.reduction == ScatterReduction::kNone) {
    // The updates have the scales along the same axis as input 0.
    KeepScales(inputs, 0,
               [&](std::uint32_t axis) { return axis >= length && indices.rank - 1 == length; });
  }
  return {inputs[0]};
}

}  // namespace backplane
