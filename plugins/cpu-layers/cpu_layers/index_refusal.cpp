#include "cpu_layers/index_refusal.hpp"

#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/moved_scales.hpp"

#include <backplane/api/descriptors/gather.hpp>
#include <backplane/api/descriptors/gather_elements.hpp>
#include <backplane/api/descriptors/gather_nd.hpp>
#include <backplane/api/descriptors/reverse_sequence.hpp>

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

bool AreBatchesAlike(const TensorShape& values, const TensorShape& indices,
                     std::uint32_t batch_dims) {
  return std::equal(values.dims, values.dims + batch_dims, indices.dims);
}

}  // namespace

void RequireGather(const Layer& layer, Refusal& refusal) {
  const std::uint32_t axis = layer.GetDescriptor<GatherDescriptor>().axis;
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  RequireMovedScales(layer, refusal,
                     [&](std::uint32_t scales) -> std::optional<std::uint32_t> {
                       if (scales == axis) return std::nullopt;
                       return scales < axis ? scales : scales + indices.rank - 1;
                     },
                     0, {{TensorRole::kValue, TensorRole::kIndex}});
  if (!RequireAxis(layer, axis, refusal)) return;
  RequireElementsToIndex(layer, axis, refusal);
  RequireJoinedOutput(
      layer,
      {{values, 0, axis}, {indices, 0, indices.rank}, {values, axis + 1, values.rank - axis - 1}},
      refusal);
}

void RequireGatherElements(const Layer& layer, Refusal& refusal) {
  const std::uint32_t axis = layer.GetDescriptor<GatherElementsDescriptor>().axis;
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  RequireMovedScales(
      layer, refusal,
      [&](std::uint32_t scales) -> std::optional<std::uint32_t> {
        if (scales == axis || scales >= values.rank || indices[scales] != values[scales]) {
          return std::nullopt;
        }
        return scales;
      },
      0, {{TensorRole::kValue, TensorRole::kIndex}});
  if (!RequireAxis(layer, axis, refusal)) return;
  RequireIndicesInside(layer, axis, refusal);
  RequireElementsToIndex(layer, axis, refusal);
  RequireOutputShape(layer, indices, refusal);
}

void RequireGatherNd(const Layer& layer, Refusal& refusal) {
  const std::uint32_t batch_dims = layer.GetDescriptor<GatherNdDescriptor>().batch_dims;
  const TensorShape& values = layer.Input(0).shape;
  const TensorShape& indices = layer.Input(1).shape;
  const std::int64_t length = indices.rank == 0 ? 0 : indices[indices.rank - 1];
  if (batch_dims >= indices.rank || batch_dims > values.rank || length > values.rank - batch_dims ||
      !AreBatchesAlike(values, indices, batch_dims)) {
    refusal.Add("the indices with shape ", DescribeShape(indices), " do not fit ",
                DescribeShape(values), " of input 0 with ", batch_dims, " axes of a batch");
    return;
  }
  const std::uint32_t behind = batch_dims + static_cast<std::uint32_t>(length);
  RequireMovedScales(layer, refusal,
                     [&](std::uint32_t scales) -> std::optional<std::uint32_t> {
                       if (scales < batch_dims) return scales;
                       if (scales < behind) return std::nullopt;
                       return scales - behind + indices.rank - 1;
                     },
                     0, {{TensorRole::kValue, TensorRole::kIndex}});
  for (std::uint32_t axis = batch_dims; axis < behind; ++axis) {
    RequireElementsToIndex(layer, axis, refusal);
  }
  RequireJoinedOutput(
      layer, {{indices, 0, indices.rank - 1}, {values, behind, values.rank - behind}}, refusal);
}

void RequireReverseSequence(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ReverseSequenceDescriptor>();
  const TensorShape& shape = layer.Input(0).shape;
  RequireMovedScales(layer, refusal,
                     [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
                       if (axis == descriptor.time_axis) return std::nullopt;
                       return axis;
                     },
                     0, {{TensorRole::kValue, TensorRole::kIndex}});
  RequireOutputShape(layer, shape, refusal);
  if (!RequireAxis(layer, descriptor.batch_axis, refusal) ||
      !RequireAxis(layer, descriptor.time_axis, refusal)) {
    return;
  }
  if (descriptor.batch_axis == descriptor.time_axis) {
    refusal.Add("batch_axis and time_axis are both ", descriptor.time_axis);
  }
  const TensorShape lengths = {shape[descriptor.batch_axis]};
  if (layer.Input(1).shape != lengths) {
    refusal.Add("input 1 has shape ", DescribeShape(layer.Input(1).shape), ", but must have ",
                DescribeShape(lengths));
  }
}

}  // namespace cpu_layers
}  // namespace backplane
