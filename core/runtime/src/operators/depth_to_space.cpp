#include "operators/known_number.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/spatial_blocks.hpp"

namespace backplane {

OperatorTypes GetTypesOfDepthToSpace(const DepthToSpaceDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferDepthToSpace(const OperatorInputs& inputs,
                                          const DepthToSpaceDescriptor& descriptor) {
  RequireKnown(inputs, "order", descriptor.order,
               {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst}, "BlockFirst or ChannelFirst");
  const std::uint32_t spatial_rank = GetSpatialRank(inputs);
  const std::uint32_t block = descriptor.block_size;
  const std::uint32_t blocks[kMaxSpatialRank] = {block, block, block};

  TensorInfo output = inputs[0];
  output.shape[1] =
      DivideExtent(inputs, 1, inputs[0].shape[1], GetBlockElements(inputs, blocks, spatial_rank));
  for (std::uint32_t axis = 2; axis < output.shape.rank; ++axis) {
    output.shape[axis] = MultiplyExtent(inputs, axis, block);
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis == 0 || block == 1; });
  return {output};
}

}  // namespace backplane
