#include "cpu_layers/depth_space.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/moved_scales.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <vector>

namespace backplane {
namespace cpu_layers {
namespace {

bool AreSidesAlike(const DepthSpace& sides) {
  const TensorShape& depth = sides.depth.shape;
  const TensorShape& space = sides.space.shape;
  if (space.rank != depth.rank || space[0] != depth[0]) return false;
  std::int64_t channels = space[1];
  for (std::uint32_t axis = 2; axis < depth.rank; ++axis) {
    std::int64_t extent = 0;
    if (__builtin_mul_overflow(channels, std::int64_t{sides.block}, &channels) ||
        __builtin_mul_overflow(depth[axis], std::int64_t{sides.block}, &extent) ||
        extent != space[axis]) {
      return false;
    }
  }
  return channels == depth[1];
}

}  // namespace

void RequireDepthSpace(const Layer& layer, const DepthSpace& sides, Refusal& refusal) {
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis != 0 && sides.block != 1) return std::nullopt;
    return axis;
  });
  if (sides.order != DepthOrder::kBlockFirst && sides.order != DepthOrder::kChannelFirst) {
    refusal.Add("order ", static_cast<std::uint32_t>(sides.order),
                " is not supported, only BlockFirst (1) and ChannelFirst (2)");
  }
  const std::uint32_t rank = layer.Input(0).shape.rank;
  if (sides.block == 0 || rank < 3 || rank > 2 + kMaxSpatialRank) {
    refusal.Add(
        "blocks of ", sides.block, " and input 0 with shape ", DescribeShape(layer.Input(0).shape),
        " are not supported, only blocks of 1 or more and ranks 3 to ", 2 + kMaxSpatialRank);
  } else if (!AreSidesAlike(sides)) {
    refusal.Add("input 0 with shape ", DescribeShape(layer.Input(0).shape),
                " does not give an output with shape ", DescribeShape(layer.Output().shape),
                " with blocks of ", sides.block);
  }
}

std::vector<SharedAxis> GetSharedAxes(const DepthSpace& sides) {
  const TensorShape& depth = sides.depth.shape;
  const DenseSteps depth_steps(depth);
  const DenseSteps space_steps(sides.space.shape);
  const std::int64_t channels = sides.space.shape[1];
  const std::int64_t in_block = channels == 0 ? 1 : depth[1] / channels;
  const bool is_block_first = sides.order == DepthOrder::kBlockFirst;
  const std::int64_t channel_step = is_block_first ? 1 : in_block;
  std::int64_t place_step = is_block_first ? channels : 1;
  std::vector<SharedAxis> axes;
  axes.push_back({depth[0], depth_steps[0], space_steps[0]});
  axes.push_back({channels, channel_step * depth_steps[1], space_steps[1]});
  for (std::uint32_t axis = depth.rank; axis-- > 2;) {
    axes.push_back({depth[axis], depth_steps[axis], sides.block * space_steps[axis]});
    axes.push_back({sides.block, place_step * depth_steps[1], space_steps[axis]});
    place_step *= sides.block;
  }
  return axes;
}

StridedCopy MakeCopy(const DepthSpace& sides, DepthSpaceDirection direction) {
  const bool is_to_space = direction == DepthSpaceDirection::kToSpace;
  StridedCopy copy(GetDataTypeSizeBytes(sides.space.data_type));
  for (const SharedAxis& axis : GetSharedAxes(sides)) {
    copy.AddAxis(axis.extent, is_to_space ? axis.depth_step : axis.space_step,
                 is_to_space ? axis.space_step : axis.depth_step);
  }
  copy.Prepare();
  return copy;
}

}  // namespace cpu_layers
}  // namespace backplane
