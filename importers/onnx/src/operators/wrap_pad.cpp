#include "operators/wrap_pad.hpp"

#include "operators/calculated_constant.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <vector>

namespace backplane::onnx {
namespace {

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

}  // namespace

void ConvertWrapPad(Node& node, const PadDescriptor& padding) {
  OutputSlot result = node.GetMovedInput(0);
  for (std::uint32_t axis = 0; axis < node.GetInputShape(0).rank; ++axis) {
    if (padding.pads_begin[axis] == 0 && padding.pads_end[axis] == 0) continue;
    result = AddWrapped(node, result, MakeWrappedAxis(node, padding, axis));
  }
  node.SetOutput(result);
}

}  // namespace backplane::onnx
