#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/spatial_blocks.hpp"
#include "operators/window.hpp"

namespace backplane {

namespace {

std::int64_t GetPadded(const OperatorInputs& inputs, const SpaceToBatchDescriptor& descriptor,
                       std::uint32_t spatial_axis) {
  Window window;
  window.input = inputs[0].shape[spatial_axis + 2];
  window.pad_begin = descriptor.pads_begin[spatial_axis];
  window.pad_end = descriptor.pads_end[spatial_axis];
  return GetPaddedInput(inputs, window, 0, spatial_axis);
}

}  // namespace

OperatorTypes GetTypesOfSpaceToBatch(const SpaceToBatchDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferSpaceToBatch(const OperatorInputs& inputs,
                                          const SpaceToBatchDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");

  TensorInfo output = inputs[0];
  output.shape[0] = MultiplyExtent(
      inputs, 0, GetBlockElements(inputs, descriptor.block, descriptor.spatial_rank));
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] =
        DivideExtent(inputs, axis + 2, GetPadded(inputs, descriptor, axis), descriptor.block[axis]);
  }
  KeepScales(inputs, 0, [](std::uint32_t axis) { return axis == 1; });
  return {output};
}

}  // namespace backplane
