#include "graph/spatial_axes.hpp"

#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors.hpp>

namespace backplane {

std::uint32_t GetSpatialRank(const OperatorInputs& inputs) {
  const std::uint32_t rank = inputs[0].shape.rank;
  if (rank >= 3 && rank <= 2 + kMaxSpatialRank) return rank - 2;
  inputs.Fail(DiagnosticCode::kWrongRank, "the input has rank " + std::to_string(rank),
              "found " + DescribeTensor(inputs[0]) + " as input 0; expected rank 3 to " +
                  std::to_string(2 + kMaxSpatialRank) + ", [N, C, spatial...]",
              "reshape the tensor");
}

void RequireSpatialElements(const OperatorInputs& inputs) {
  const TensorShape& shape = inputs[0].shape;
  for (std::uint32_t axis = 2; axis < shape.rank; ++axis) {
    if (shape[axis] > 0) continue;
    inputs.Fail(DiagnosticCode::kWrongShape, "a spatial axis of the input is empty",
                "found " + DescribeTensor(inputs[0]) + "; expected spatial extents of 1 or more",
                "correct the shape of the input");
  }
}

}  // namespace backplane
