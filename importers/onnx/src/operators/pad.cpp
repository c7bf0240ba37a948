#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/wrap_pad.hpp"
#include "tensors/shape.hpp"

#include <optional>

namespace backplane::onnx {
namespace {

PaddingMode ReadPaddingMode(Node& node, const std::string& mode) {
  if (mode == "constant") return PaddingMode::kConstant;
  if (mode == "reflect") return PaddingMode::kReflect;
  if (mode == "edge") return PaddingMode::kEdge;
  node.GetAttributes().Refuse("mode", mode, "constant, reflect, edge and wrap are supported");
}

// Attributes until operator set 10, under another name in 1; an input from 11 on.
std::vector<std::int64_t> ReadPads(Node& node) {
  if (node.GetOpset() >= 11) return node.ReadConstantInts(1, "padding");
  const char* name = node.GetOpset() == 1 ? "paddings" : "pads";
  const auto pads = node.GetAttributes().FindInts(name);
  if (!pads) node.RefuseAsInvalid(std::string(name) + " is absent, but is needed");
  return *pads;
}

/// The axes that are padded, in the order in which the padding is stated.
std::vector<std::uint32_t> ReadAxes(Node& node) {
  std::optional<std::vector<std::int64_t>> stated;
  if (node.GetOpset() >= 18 && node.HasInput(3)) stated = node.ReadConstantInts(3, "axes");
  return node.ResolveAxesInOrder(stated, node.GetInputShape(0).rank);
}

void SetPads(const Node& node, const std::vector<std::uint32_t>& axes,
             const std::vector<std::int64_t>& pads, PadDescriptor& descriptor) {
  if (pads.size() != 2 * axes.size()) {
    node.RefuseAsInvalid("it has " + std::to_string(pads.size()) + " numbers of padding; " +
                         std::to_string(2 * axes.size()) + " are expected, two for each axis of " +
                         ToText(node.GetInputShape(0)));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    descriptor.pads_begin[axes[i]] = pads[i];
    descriptor.pads_end[axes[i]] = pads[axes.size() + i];
  }
}

OutputSlot MakeScalar(Node& node, OutputSlot value) {
  return node.GetInfo(value).shape.rank == 0 ? value : node.AddReshape(value, {}, "_value");
}

/// What is padded with; nothing when it is 0 anyway.
std::optional<OutputSlot> FindValue(Node& node) {
  if (node.GetOpset() >= 11) {
    if (!node.HasInput(2)) return {};
    return MakeScalar(node, node.GetInput(2));
  }
  const float value = node.GetAttributes().FindFloat("value").value_or(0.0F);
  if (value == 0.0F) return {};
  const DataType type = node.GetInputInfo(0).data_type;
  return MakeScalar(node, node.AddScalar(static_cast<double>(value), type, "_constant"));
}

}  // namespace

void ConvertPad(Node& node) {
  PadDescriptor descriptor;
  const std::string mode = node.GetAttributes().FindString("mode").value_or("constant");
  SetPads(node, ReadAxes(node), ReadPads(node), descriptor);
  if (mode == "wrap") return ConvertWrapPad(node, descriptor);
  descriptor.mode = ReadPaddingMode(node, mode);
  std::vector<OutputSlot> inputs = {node.GetInput(0)};
  const auto value = FindValue(node);
  if (value && descriptor.mode == PaddingMode::kConstant) inputs.push_back(*value);
  node.SetOutput(node.AddLayer<LayerType::kPad>(descriptor, inputs));
}

}  // namespace backplane::onnx
