#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

// Numbers of TensorProto.DataType: what is calculated in is at least as precise.
constexpr std::int64_t kStashAsFloat = 1;
constexpr std::int64_t kStashAsBFloat16 = 16;

constexpr std::int64_t kFirstOpsetWithChannels = 21;

std::uint32_t ReadNumGroups(Node& node) {
  const auto stated = node.GetAttributes().FindInt("num_groups");
  if (!stated) node.RefuseAsInvalid("num_groups is absent, but is needed");
  return CheckRange(node, *stated, 1, "num_groups");
}

void CheckStashType(Node& node) {
  const std::int64_t stated = node.GetAttributes().FindInt("stash_type").value_or(kStashAsFloat);
  if (stated == kStashAsFloat || stated == kStashAsBFloat16) return;
  node.GetAttributes().Refuse("stash_type", std::to_string(stated), "only 1 and 16 are supported");
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
  ExpandDescriptor descriptor;
  descriptor.rank = 2;
  descriptor.dims[0] = num_groups;
  descriptor.dims[1] = num_channels / num_groups;
  const OutputSlot column = node.AddReshape(slot, {num_groups, 1}, suffix + "/column");
  const OutputSlot matrix =
      node.AddLayer<LayerType::kExpand>(descriptor, {column}, suffix + "/expand");
  return node.AddReshape(matrix, {num_channels}, suffix);
}

}  // namespace

void ConvertGroupNormalization(Node& node) {
  GroupNormalizationDescriptor descriptor;
  if (node.GetInputShape(0).rank < 2) {
    node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) +
                         "; [N, C, ...] is expected");
  }
  descriptor.num_groups = ReadNumGroups(node);
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  CheckStashType(node);
  const std::int64_t num_groups = descriptor.num_groups;
  node.SetOutput(node.AddLayer<LayerType::kGroupNormalization>(
      descriptor, {node.GetInput(0), GetParameter(node, 1, num_groups, "/scale"),
                   GetParameter(node, 2, num_groups, "/bias")}));
}

}  // namespace backplane::onnx
