#include "cpu_layers/normalization_refusal.hpp"

#include "cpu_layers/channels.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>
#include <backplane/api/descriptors/group_normalization.hpp>
#include <backplane/api/descriptors/layer_normalization.hpp>
#include <backplane/api/descriptors/local_response_normalization.hpp>
#include <backplane/api/descriptors/lp_normalization.hpp>

namespace backplane {
namespace cpu_layers {
namespace {

/// Scale and bias are as input 0 from the axis on, mean and deviation have extent 1 there.
void RequireShapesFrom(std::uint32_t first_axis, const Layer& layer, Refusal& refusal) {
  const TensorShape& shape = layer.Input(0).shape;
  TensorShape statistics = shape;
  TensorShape row;
  for (std::uint32_t axis = first_axis; axis < shape.rank; ++axis) {
    row.Append(shape[axis]);
    statistics[axis] = 1;
  }
  for (std::uint32_t i = 1; i < layer.num_inputs; ++i) {
    if (layer.Input(i).shape == row) continue;
    refusal.Add("input ", i, " has shape ", DescribeShape(layer.Input(i).shape), ", but must have ",
                DescribeShape(row), ", that of input 0 from the axis on");
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    RequireOutputShape(layer, i == 0 ? shape : statistics, refusal, i);
  }
}

}  // namespace

void RequireBatchNormalization(const Layer& layer, Refusal& refusal) {
  const std::uint32_t axis = layer.GetDescriptor<BatchNormalizationDescriptor>().axis;
  RequireAxis(layer, axis, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  if (!refusal.IsEmpty()) return;
  for (std::uint32_t input = 1; input <= 4; ++input) {
    RequireEntryPerChannel(layer, input, axis, refusal);
  }
}

void RequireGroupNormalization(const Layer& layer, Refusal& refusal) {
  RequireChannelShapes(layer, refusal);
  if (!refusal.IsEmpty()) return;
  const std::int64_t num_channels = layer.Input(0).shape[1];
  const std::uint32_t num_groups = layer.GetDescriptor<GroupNormalizationDescriptor>().num_groups;
  if (num_groups != 0 && num_channels % num_groups == 0) return;
  refusal.Add("num_groups is ", num_groups, ", but must divide the ", num_channels,
              " channels of input 0");
}

void RequireLayerNormalization(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<LayerNormalizationDescriptor>();
  if (descriptor.num_outputs != layer.num_outputs) {
    refusal.Add("num_outputs is ", descriptor.num_outputs, ", but the layer has ",
                layer.num_outputs, " outputs");
  }
  RequireAxis(layer, descriptor.axis, refusal);
  if (refusal.IsEmpty()) RequireShapesFrom(descriptor.axis, layer, refusal);
}

void RequireLocalResponseNormalization(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<LocalResponseNormalizationDescriptor>();
  RequireAxis(layer, descriptor.axis, refusal);
  if (descriptor.size == 0) refusal.Add("size is 0, but must be 1 or more");
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

void RequireLpNormalization(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<LpNormalizationDescriptor>();
  RequireAxis(layer, descriptor.axis, refusal);
  if (descriptor.order != 1 && descriptor.order != 2) {
    refusal.Add("order ", descriptor.order, " is not supported, only 1 and 2");
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
