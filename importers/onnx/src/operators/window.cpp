#include "operators/window.hpp"

#include "tensors/shape.hpp"

#include <limits>
#include <string>

namespace backplane::onnx {
namespace {

void CopyChecked(const Node& node, const std::vector<std::int64_t>& values, std::int64_t least,
                 const char* name, std::uint32_t* target) {
  for (const std::int64_t value : values) *target++ = CheckRange(node, value, least, name);
}

// The output has as many elements as there are strides begun in the input; what the padding does
// not divide evenly goes to the end (upper) or to the beginning (lower).
void ComputeSamePads(const Node& node, AutoPad auto_pad, std::int64_t extent, std::uint32_t axis,
                     Window& window) {
  const std::int64_t stride = window.strides[axis];
  const std::int64_t reach =
      (static_cast<std::int64_t>(window.kernel[axis]) - 1) * window.dilations[axis] + 1;
  const std::int64_t output = extent / stride + (extent % stride != 0 ? 1 : 0);
  const std::int64_t total = std::max<std::int64_t>((output - 1) * stride + reach - extent, 0);
  const std::int64_t smaller = total / 2;
  const std::int64_t begin = auto_pad == AutoPad::kSameUpper ? smaller : total - smaller;
  window.pads_begin[axis] = CheckRange(node, begin, 0, "padding");
  window.pads_end[axis] = CheckRange(node, total - begin, 0, "padding");
}

}  // namespace

std::uint32_t CheckRange(const Node& node, std::int64_t value, std::int64_t least,
                         const char* name) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (value < least || value > kMost) {
    node.RefuseAsInvalid(std::string(name) + " has the value " + std::to_string(value) +
                         "; allowed is " + std::to_string(least) + " to " + std::to_string(kMost));
  }
  return static_cast<std::uint32_t>(value);
}

std::vector<std::int64_t> ReadList(Node& node, const char* name, std::size_t length,
                                   std::int64_t default_value) {
  auto values = node.GetAttributes().FindInts(name);
  if (!values) return std::vector<std::int64_t>(length, default_value);
  if (values->size() != length) {
    node.RefuseAsInvalid(std::string(name) + " has " + std::to_string(values->size()) +
                         " values; " + std::to_string(length) + " are expected");
  }
  return *values;
}

AutoPad ReadAutoPad(Node& node) {
  const std::string text = node.GetAttributes().FindString("auto_pad").value_or("NOTSET");
  if (text == "NOTSET") return AutoPad::kNotSet;
  if (text == "VALID") return AutoPad::kValid;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  node.GetAttributes().Refuse("auto_pad", "\"" + text + "\"",
                              "supported are NOTSET, VALID, SAME_UPPER and SAME_LOWER");
}

std::vector<std::int64_t> GetSpatialExtents(const Node& node, const TensorShape& shape) {
  if (shape.rank < 3) {
    node.RefuseAsInvalid("its input is " + ToText(shape) +
                         "; [N, C, spatial...] with at least 1 spatial axis is expected");
  }
  if (shape.rank > 2 + kMaxSpatialRank) {
    node.RefuseAsUnsupported("its input is " + ToText(shape) + "; [N, C, spatial...] with 1 to " +
                             std::to_string(kMaxSpatialRank) + " spatial axes is supported");
  }
  return {shape.dims + 2, shape.dims + shape.rank};
}

Window ReadSteps(Node& node, const std::vector<std::int64_t>& kernel) {
  const std::size_t rank = GetSpatialExtents(node, node.GetInputShape(0)).size();
  if (kernel.size() != rank) {
    node.RefuseAsInvalid("its kernel has " + std::to_string(kernel.size()) +
                         " spatial axes, its input has " + std::to_string(rank));
  }
  Window window;
  window.spatial_rank = static_cast<std::uint32_t>(rank);
  CopyChecked(node, kernel, 1, "kernel_shape", window.kernel);
  CopyChecked(node, ReadList(node, "strides", rank, 1), 1, "strides", window.strides);
  CopyChecked(node, ReadList(node, "dilations", rank, 1), 1, "dilations", window.dilations);
  return window;
}

AutoPad ReadPads(Node& node, Window& window) {
  const std::size_t rank = window.spatial_rank;
  const std::vector<std::int64_t> pads = ReadList(node, "pads", 2 * rank, 0);
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  const AutoPad auto_pad = ReadAutoPad(node);
  if (auto_pad == AutoPad::kNotSet) {
    CopyChecked(node, {pads.begin(), middle}, 0, "pads", window.pads_begin);
    CopyChecked(node, {middle, pads.end()}, 0, "pads", window.pads_end);
  } else if (std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; })) {
    node.RefuseAsInvalid("it has both pads and auto_pad; only one of them may be given");
  }
  return auto_pad;
}

Window ReadWindow(Node& node, const std::vector<std::int64_t>& kernel) {
  Window window = ReadSteps(node, kernel);
  const AutoPad auto_pad = ReadPads(node, window);
  if (auto_pad != AutoPad::kSameUpper && auto_pad != AutoPad::kSameLower) return window;
  const TensorShape& input = node.GetInputShape(0);
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    ComputeSamePads(node, auto_pad, input[axis + 2], axis, window);
  }
  return window;
}

}  // namespace backplane::onnx
