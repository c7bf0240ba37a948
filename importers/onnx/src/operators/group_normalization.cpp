#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

constexpr std::int64_t kFirstOpsetWithChannels = 21;

std::uint32_t ReadNumGroups(Node& node, const char* name) {
  return CheckRange(node, ReadNeededInt(node, name), 1, name);
}

// Scale or bias with one entry for each channel. Before operator set 21 there is one for each
// group.
OutputSlot GetParameter(Node& node, std::size_t index, std::int64_t num_groups,
                        const std::string& suffix) {
  const OutputSlot slot = node.GetInput(index);
  const TensorShape found = node.GetInputShape(index);
  const std::int64_t num_channels = node.GetInputShape(0)[1];
  if (node.GetOpset() >= kFirstOpsetWithChannels || num_channels % num_groups != 0) return slot;
  if (found != TensorShape{num_groups}) {
    node.RefuseAsInvalid("its input " + std::to_string(index) + " is " + ToText(found) + "; " +
                         std::to_string(num_groups) +
                         " elements, one for each group, are expected");
  }
  if (num_groups == num_channels) return slot;
  const OutputSlot column = node.AddReshape(slot, {num_groups, 1}, suffix + "/column");
  const OutputSlot matrix =
      AddBroadcast(node, column, {num_groups, num_channels / num_groups}, suffix + "/expand");
  return node.AddReshape(matrix, {num_channels}, suffix);
}

bool ReadSwish(Node& node) {
  const std::int64_t activation = ReadNeededInt(node, "activation");
  if (activation == 0 || activation == 1) return activation == 1;
  node.GetAttributes().Refuse("activation", std::to_string(activation),
                              "0, none, and 1, Swish, are supported");
}

// What both operators of onnxruntime do with their sum, in float32 as their scale and bias are.
void ConvertGroupsOf(Node& node, OutputSlot sum) {
  const DataType type = node.GetInputInfo(0).data_type;
  const TensorShape shape = node.GetInputShape(0);
  GroupNormalizationDescriptor descriptor;
  descriptor.num_groups = ReadNumGroups(node, "groups");
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(1.0e-5F);
  const bool is_last = node.GetAttributes().GetFlag("channels_last", true);
  const TensorShape channels = {shape[is_last ? shape.rank - 1 : 1]};
  for (const std::size_t parameter : {1, 2}) {
    RequireShape(node, parameter, channels, "gamma or beta");
  }
  const bool has_swish = ReadSwish(node);
  OutputSlot result = AddCast(node, sum, DataType::kFloat32, "/float");
  if (is_last) result = MoveChannelsSecond(node, result, "/channels_second");
  result = node.AddLayer<LayerType::kGroupNormalization>(
      descriptor, {result, GetReals(node, 1, "/gamma"), GetReals(node, 2, "/beta")});
  if (has_swish) result = AddActivation(node, ActivationFunction::kSwish, result, "/activation");
  if (is_last) result = MoveChannelsLast(node, result, "/channels_last");
  node.SetOutput(AddCast(node, result, type, "/output"));
}

// A skip of one image, or one for each, of one or of all places.
OutputSlot AddSkip(Node& node) {
  const TensorShape shape = node.GetInputShape(0);
  TensorShape skip = node.GetInputShape(3);
  const bool is_last = node.GetAttributes().GetFlag("channels_last", true);
  OutputSlot slot = node.GetInput(3);
  if (skip.rank == 2 && shape.rank == 4) {
    skip = is_last ? TensorShape{skip[0], 1, 1, skip[1]} : TensorShape{skip[0], skip[1], 1, 1};
    slot = node.AddReshape(slot, skip, "/skip/places");
  }
  if (!BroadcastsTo(skip, shape)) {
    node.RefuseAsInvalid("its skip is " + ToText(node.GetInputShape(3)) +
                         ", which does not broadcast to " + ToText(shape) + ", that of its input");
  }
  const OutputSlot sum = AddBinary(node, BinaryOperation::kAdd, node.GetInput(0), slot, "/skip");
  if (!node.HasInput(4)) return sum;
  const std::uint32_t axis = is_last ? shape.rank - 1 : 1;
  RequireShape(node, 4, {shape[axis]}, "its bias");
  return AddBinary(node, BinaryOperation::kAdd, sum,
                   AlignWithAxis(node, node.GetInput(4), axis, shape.rank, "/bias/channels"),
                   "/bias");
}

void RequireImages(const Node& node) {
  if (node.GetInputShape(0).rank >= 3) return;
  node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) +
                       "; [N, H, W, C] or [N, C, H, W] is expected");
}

}  // namespace

void ConvertGroupNormalization(Node& node) {
  GroupNormalizationDescriptor descriptor;
  if (node.GetInputShape(0).rank < 2) {
    node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) +
                         "; [N, C, ...] is expected");
  }
  descriptor.num_groups = ReadNumGroups(node, "num_groups");
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  ReadStashType(node);
  const std::int64_t num_groups = descriptor.num_groups;
  node.SetOutput(node.AddLayer<LayerType::kGroupNormalization>(
      descriptor, {node.GetInput(0), GetParameter(node, 1, num_groups, "/scale"),
                   GetParameter(node, 2, num_groups, "/bias")}));
}

void ConvertMicrosoftGroupNorm(Node& node) {
  RequireImages(node);
  ConvertGroupsOf(node, node.GetInput(0));
}

// The second output is the sum that is normalised.
void ConvertMicrosoftSkipGroupNorm(Node& node) {
  RequireImages(node);
  const OutputSlot sum = AddSkip(node);
  ConvertGroupsOf(node, sum);
  node.SetOutput(1, sum);
}

}  // namespace backplane::onnx
