#include "nodes/node.hpp"
#include "operators/calculated_constant.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadWanted(const Node& node, std::size_t num_axes) {
  std::vector<std::int64_t> wanted = node.ReadConstantInts(1, "shape");
  if (wanted.size() != num_axes) {
    node.RefuseAsInvalid("its shape has " + std::to_string(wanted.size()) + " values; " +
                         std::to_string(num_axes) + " are expected, one for each axis");
  }
  for (const std::int64_t extent : wanted) {
    if (extent >= 0) continue;
    node.RefuseAsInvalid("its shape has the extent " + std::to_string(extent) +
                         "; 0 or more is expected");
  }
  return wanted;
}

/// One axis: the elements that are left of the input are repeated over the output.
struct WrappedAxis {
  std::uint32_t axis = 0;
  std::int64_t begin = 0;   // what is added in front; negative: taken away
  std::int64_t first = 0;   // of the input that is left
  std::int64_t left = 0;    // how many are left
  std::int64_t extent = 0;  // of the output
};

WrappedAxis MakeWrappedAxis(const Node& node, const PadDescriptor& padding, std::uint32_t axis) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const TensorShape& input = node.GetInputShape(0);
  const std::int64_t begin = padding.pads_begin[axis];
  const std::int64_t end = padding.pads_end[axis];
  if (std::min(begin, end) >= -kMost && std::max({begin, end, input[axis]}) <= kMost) {
    const std::int64_t first = std::max<std::int64_t>(-begin, 0);
    const std::int64_t left = input[axis] - first - std::max<std::int64_t>(-end, 0);
    const std::int64_t extent = input[axis] + begin + end;
    if (left > 0 || (left == 0 && extent == 0)) return {axis, begin, first, left, extent};
  }
  node.RefuseAsInvalid("its padding along axis " + std::to_string(axis) + " is " +
                       std::to_string(begin) + " and " + std::to_string(end) + "; its input is " +
                       ToText(input) +
                       ", of which at least one element must be left to be repeated");
}

std::vector<std::int64_t> ListSources(Node& node, const WrappedAxis& wrapped) {
  if (!TakeMemoryForNumbers(node, {wrapped.extent})) {
    node.RefuseAsUnsupported("axis " + std::to_string(wrapped.axis) + " becomes " +
                             std::to_string(wrapped.extent) + " long; at most " + GetMostMemory() +
                             " are taken for the positions that are repeated");
  }
  std::vector<std::int64_t> sources;
  for (std::int64_t index = 0; index < wrapped.extent; ++index) {
    const std::int64_t offset = (index - std::max<std::int64_t>(wrapped.begin, 0)) % wrapped.left;
    sources.push_back(wrapped.first + (offset < 0 ? offset + wrapped.left : offset));
  }
  return sources;
}

OutputSlot AddWrapped(Node& node, OutputSlot input, const WrappedAxis& wrapped) {
  const std::string suffix = std::to_string(wrapped.axis);
  const std::vector<std::int64_t> sources = ListSources(node, wrapped);
  const OutputSlot places =
      node.AddConstant({{wrapped.extent}, DataType::kInt64}, sources.data(), "/places_" + suffix);
  GatherDescriptor descriptor;
  descriptor.axis = wrapped.axis;
  return node.AddLayer<LayerType::kGather>(descriptor, {input, places}, "/wrapped_" + suffix);
}

// Pads with the input itself, repeated before and behind itself, which the layer Pad lacks: the
// elements along each padded axis are gathered. Of `padding` the mode is not read.
// Errors: kInvalidModel where nothing is left to repeat, kUnsupportedAttribute when the positions
// would take too much memory.
void ConvertWrapPad(Node& node, const PadDescriptor& padding) {
  OutputSlot result = node.GetMovedInput(0);
  for (std::uint32_t axis = 0; axis < node.GetInputShape(0).rank; ++axis) {
    if (padding.pads_begin[axis] == 0 && padding.pads_end[axis] == 0) continue;
    result = AddWrapped(node, result, MakeWrappedAxis(node, padding, axis));
  }
  node.SetOutput(result);
}

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
  return node.AddScalar(static_cast<double>(value), type, "_constant");
}

}  // namespace

// What is added to an axis, or taken from it, is divided between its ends; an odd rest goes to the
// far one.
void ConvertCenterCropPad(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  const std::vector<std::uint32_t> axes =
      node.ResolveAxesInOrder(node.GetAttributes().FindInts("axes"), input.rank);
  const std::vector<std::int64_t> wanted = ReadWanted(node, axes.size());
  PadDescriptor descriptor;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t difference = wanted[i] - input[axes[i]];
    descriptor.pads_begin[axes[i]] = difference / 2;
    descriptor.pads_end[axes[i]] = difference - difference / 2;
  }
  node.SetOutput(node.AddLayer<LayerType::kPad>(descriptor, {node.GetInput(0)}));
}

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
