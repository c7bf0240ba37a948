#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "kernels/move.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/depth_space.hpp"
#include "cpu_layers/join_refusal.hpp"
#include "cpu_layers/movement_refusal.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/depth_to_space.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/space_to_depth.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/tile.hpp>
#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace opencl {
namespace {

template <typename Require>
std::string FindRefusalOfMovement(const Layer& layer, const Require& require) {
  Refusal refusal;
  require(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanMove(const Layer& layer, const Move& move, const DeviceLimits& limits) {
  KernelPlan plan;
  AppendMove(layer, move, limits, plan);
  return plan;
}

/// A part of the joined tensor along an axis, for all combinations of the indices in front.
std::vector<MovedAxis> MakePartAxes(const AxisSpan& part, const AxisSpan& whole, bool is_joining) {
  const std::int64_t part_row = part.extent * part.inner;
  const std::int64_t whole_row = whole.extent * whole.inner;
  return {{part.outer, is_joining ? part_row : whole_row, is_joining ? whole_row : part_row},
          {part_row, 1, 1}};
}

template <typename Descriptor>
DepthSpace GetSides(const Layer& layer, DepthSpaceDirection direction) {
  const auto descriptor = layer.GetDescriptor<Descriptor>();
  const bool is_to_space = direction == DepthSpaceDirection::kToSpace;
  return {is_to_space ? layer.Input(0) : layer.Output(),
          is_to_space ? layer.Output() : layer.Input(0), descriptor.block_size, descriptor.order};
}

KernelPlan PlanDepthSpace(const Layer& layer, const DepthSpace& sides,
                          DepthSpaceDirection direction, const DeviceLimits& limits) {
  const bool is_to_space = direction == DepthSpaceDirection::kToSpace;
  Move move;
  for (const SharedAxis& axis : GetSharedAxes(sides)) {
    move.axes.push_back({axis.extent, is_to_space ? axis.depth_step : axis.space_step,
                         is_to_space ? axis.space_step : axis.depth_step});
  }
  return PlanMove(layer, move, limits);
}

}  // namespace

std::string FindRefusalOfConcat(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireConcat);
}

KernelPlan PlanConcat(const PlannedLayer& layer, const DeviceLimits& limits) {
  const std::uint32_t axis = layer.GetDescriptor<ConcatDescriptor>().axis;
  const AxisSpan whole = MakeAxisSpan(layer.Output().shape, axis);
  KernelPlan plan;
  std::int64_t begin = 0;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    const AxisSpan part = MakeAxisSpan(layer.Input(i).shape, axis);
    AppendMove(layer, {i, 0, 0, begin, MakePartAxes(part, whole, true)}, limits, plan);
    begin += part.extent * part.inner;
  }
  return plan;
}

std::string FindRefusalOfSplit(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireSplit);
}

KernelPlan PlanSplit(const PlannedLayer& layer, const DeviceLimits& limits) {
  const std::uint32_t axis = layer.GetDescriptor<SplitDescriptor>().axis;
  const AxisSpan whole = MakeAxisSpan(layer.Input(0).shape, axis);
  KernelPlan plan;
  std::int64_t begin = 0;
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    const AxisSpan part = MakeAxisSpan(layer.Output(i).shape, axis);
    AppendMove(layer, {0, i, begin, 0, MakePartAxes(part, whole, false)}, limits, plan);
    begin += part.extent * part.inner;
  }
  return plan;
}

std::string FindRefusalOfSlice(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireSlice);
}

KernelPlan PlanSlice(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<SliceDescriptor>();
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(layer.Input(0).shape);
  const DenseSteps to(output);
  Move move;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    // The start of an axis without elements may be anything.
    if (output[axis] != 0) move.from_begin += descriptor.starts[axis] * from[axis];
    const std::int64_t step = output[axis] > 1 ? descriptor.steps[axis] : 1;
    move.axes.push_back({output[axis], step * from[axis], to[axis]});
  }
  return PlanMove(layer, move, limits);
}

std::string FindRefusalOfTranspose(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireTranspose);
}

KernelPlan PlanTranspose(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<TransposeDescriptor>();
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(layer.Input(0).shape);
  const DenseSteps to(output);
  Move move;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    move.axes.push_back({output[axis], from[descriptor.permutation[axis]], to[axis]});
  }
  return PlanMove(layer, move, limits);
}

std::string FindRefusalOfExpand(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireExpand);
}

KernelPlan PlanExpand(const PlannedLayer& layer, const DeviceLimits& limits) {
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(input);
  const DenseSteps to(output);
  const std::uint32_t missing = output.rank - input.rank;
  Move move;
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    const bool is_repeated = axis < missing || input[axis - missing] == 1;
    move.axes.push_back({output[axis], is_repeated ? 0 : from[axis - missing], to[axis]});
  }
  return PlanMove(layer, move, limits);
}

std::string FindRefusalOfTile(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, RequireTile);
}

KernelPlan PlanTile(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<TileDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  const DenseSteps from(input);
  const DenseSteps to(layer.Output().shape);
  Move move;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    move.axes.push_back({descriptor.repeats[axis], 0, input[axis] * to[axis]});
    move.axes.push_back({input[axis], from[axis], to[axis]});
  }
  return PlanMove(layer, move, limits);
}

std::string FindRefusalOfDepthToSpace(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, [](const Layer& moved, Refusal& refusal) {
    RequireDepthSpace(moved, GetSides<DepthToSpaceDescriptor>(moved, DepthSpaceDirection::kToSpace),
                      refusal);
  });
}

KernelPlan PlanDepthToSpace(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto direction = DepthSpaceDirection::kToSpace;
  return PlanDepthSpace(layer, GetSides<DepthToSpaceDescriptor>(layer, direction), direction,
                        limits);
}

std::string FindRefusalOfSpaceToDepth(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  return FindRefusalOfMovement(layer, [](const Layer& moved, Refusal& refusal) {
    RequireDepthSpace(moved, GetSides<SpaceToDepthDescriptor>(moved, DepthSpaceDirection::kToDepth),
                      refusal);
  });
}

KernelPlan PlanSpaceToDepth(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto direction = DepthSpaceDirection::kToDepth;
  return PlanDepthSpace(layer, GetSides<SpaceToDepthDescriptor>(layer, direction), direction,
                        limits);
}

}  // namespace opencl
}  // namespace backplane
