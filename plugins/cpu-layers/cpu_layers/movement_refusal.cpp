#include "cpu_layers/movement_refusal.hpp"

#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/moved_scales.hpp"

#include <backplane/api/descriptors/expand.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/tile.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

bool IsPermutation(const TransposeDescriptor& descriptor, std::uint32_t rank) {
  std::uint32_t named = 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const std::uint32_t from = descriptor.permutation[axis];
    if (from < rank) named |= 1U << from;
  }
  return named == (1U << rank) - 1;
}

bool IsInside(std::int64_t start, std::int64_t step, std::int64_t count, std::int64_t extent) {
  if (count == 0) return true;
  if (count < 0 || start < 0 || start >= extent) return false;
  std::int64_t last = 0;
  if (__builtin_mul_overflow(step, count - 1, &last)) return false;
  return !__builtin_add_overflow(start, last, &last) && last >= 0 && last < extent;
}

bool IsWhole(const SliceDescriptor& descriptor, std::uint32_t axis, std::int64_t extent) {
  return descriptor.starts[axis] == 0 && descriptor.steps[axis] == 1 &&
         descriptor.extents[axis] == extent;
}

}  // namespace

void RequireTranspose(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<TransposeDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    for (std::uint32_t to = 0; to < input.rank; ++to) {
      if (descriptor.permutation[to] == axis) return to;
    }
    return std::nullopt;
  });
  if (!IsPermutation(descriptor, input.rank)) {
    refusal.Add("the permutation does not name each axis of rank ", input.rank, " once");
    return;
  }
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    output[axis] = input[descriptor.permutation[axis]];
  }
  RequireOutputShape(layer, output, refusal);
}

void RequireSlice(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<SliceDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis >= input.rank || !IsWhole(descriptor, axis, input[axis])) return std::nullopt;
    return axis;
  });
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    output[axis] = descriptor.extents[axis];
    const std::int64_t step = descriptor.steps[axis];
    if (step == 0) refusal.Add("the step along axis ", axis, " is 0");
    if (IsInside(descriptor.starts[axis], step, output[axis], input[axis])) continue;
    refusal.Add("start ", descriptor.starts[axis], ", step ", step, " and ", output[axis],
                " elements along axis ", axis, " do not lie in the extent ", input[axis]);
  }
  RequireOutputShape(layer, output, refusal);
}

void RequireExpand(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ExpandDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& output = layer.Output().shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis >= input.rank || output.rank < input.rank) return std::nullopt;
    return axis + output.rank - input.rank;
  });
  if (descriptor.rank > kMaxRank) {
    refusal.Add("rank ", descriptor.rank, " is more than ", kMaxRank);
    return;
  }
  TensorShape wanted;
  for (std::uint32_t axis = 0; axis < descriptor.rank; ++axis) wanted.Append(descriptor.dims[axis]);
  const auto broadcast = BroadcastShapes(input, wanted);
  if (!broadcast || *broadcast != wanted) {
    refusal.Add("input 0 with shape ", DescribeShape(input), " does not broadcast to ",
                DescribeShape(wanted));
  }
  RequireOutputShape(layer, wanted, refusal);
}

void RequireTile(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<TileDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis >= input.rank || descriptor.repeats[axis] != 1) return std::nullopt;
    return axis;
  });
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    const std::int64_t repeats = descriptor.repeats[axis];
    if (repeats < 0 || __builtin_mul_overflow(input[axis], repeats, &output[axis])) {
      refusal.Add(repeats, " repeats along axis ", axis, " of extent ", input[axis],
                  " are not possible");
    }
  }
  RequireOutputShape(layer, output, refusal);
}

void RequireReshape(const Layer& layer, Refusal& refusal) {
  RequireOneRepresentation(layer, refusal);
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& output = layer.Output().shape;
  if (input.GetNumElements() != output.GetNumElements()) {
    refusal.Add("input 0 with shape ", DescribeShape(input), " has ", input.GetNumElements(),
                " elements, but the output with shape ", DescribeShape(output), " has ",
                output.GetNumElements(), "; both must be equal");
  }
}

}  // namespace cpu_layers
}  // namespace backplane
