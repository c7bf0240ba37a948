#include "cpu_layers/repeated_copy.hpp"

#include "cpu_layers/dense_steps.hpp"

namespace backplane {
namespace cpu_layers {

StridedCopy MakeExpandingCopy(const TensorInfo& input, const TensorInfo& output) {
  const DenseSteps from(input.shape);
  const DenseSteps to(output.shape);
  const std::uint32_t missing = output.shape.rank - input.shape.rank;
  StridedCopy copy(GetDataTypeSizeBytes(output.data_type));
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    const bool is_repeated = axis < missing || input.shape[axis - missing] == 1;
    copy.AddAxis(output.shape[axis], is_repeated ? 0 : from[axis - missing], to[axis]);
  }
  copy.Prepare();
  return copy;
}

StridedCopy MakeTilingCopy(const TileDescriptor& tile, const TensorInfo& input,
                           const TensorInfo& output) {
  const DenseSteps from(input.shape);
  const DenseSteps to(output.shape);
  StridedCopy copy(GetDataTypeSizeBytes(output.data_type));
  for (std::uint32_t axis = 0; axis < input.shape.rank; ++axis) {
    copy.AddAxis(tile.repeats[axis], 0, input.shape[axis] * to[axis]);
    copy.AddAxis(input.shape[axis], from[axis], to[axis]);
  }
  copy.Prepare();
  return copy;
}

}  // namespace cpu_layers
}  // namespace backplane
