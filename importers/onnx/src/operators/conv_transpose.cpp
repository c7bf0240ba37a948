#include "operators/conv.hpp"
#include "operators/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <optional>

namespace backplane::onnx {
namespace {

// What the whole output is without padding, output padding included.
std::int64_t GetFullExtent(const Node& node, const Window& window, std::int64_t output_padding,
                           std::uint32_t axis) {
  const std::int64_t input = node.GetInputShape(0)[axis + 2];
  std::int64_t extent = 0;
  // Kernel and dilation fit 31 bits each, and so does the output padding.
  const std::int64_t rest =
      (std::int64_t{window.kernel[axis]} - 1) * window.dilations[axis] + 1 + output_padding;
  if (__builtin_mul_overflow(input - 1, std::int64_t{window.strides[axis]}, &extent) ||
      __builtin_add_overflow(extent, rest, &extent)) {
    node.RefuseAsInvalid("its output is too large along spatial axis " + std::to_string(axis));
  }
  return extent;
}

// What is stated for the output: its spatial extents, or, as some exporters write it, all.
std::optional<std::vector<std::int64_t>> FindOutputShape(Node& node, std::size_t rank) {
  auto shape = node.GetAttributes().FindInts("output_shape");
  if (!shape) return {};
  if (shape->size() == rank + 2) shape->erase(shape->begin(), shape->begin() + 2);
  if (shape->size() != rank) {
    node.RefuseAsInvalid("output_shape has " + std::to_string(shape->size()) + " values; " +
                         std::to_string(rank) + " are expected");
  }
  for (const std::int64_t extent : *shape) CheckRange(node, extent, 1, "output_shape");
  return shape;
}

// The extents that the padding is to lead to; nothing when the padding itself is known.
std::optional<std::vector<std::int64_t>> FindTarget(Node& node, const Window& window,
                                                    AutoPad auto_pad) {
  if (auto stated = FindOutputShape(node, window.spatial_rank)) return stated;
  if (auto_pad != AutoPad::kSameUpper && auto_pad != AutoPad::kSameLower) return {};
  std::vector<std::int64_t> target;
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    const std::int64_t input = CheckRange(node, node.GetInputShape(0)[axis + 2], 0, "input extent");
    target.push_back(input * window.strides[axis]);
  }
  return target;
}

// Whether the begin gets the greater half of an odd padding. Operator set 11 turned this round.
bool IsMoreAtBegin(const Node& node, AutoPad auto_pad) {
  const bool is_upper = auto_pad == AutoPad::kSameUpper;
  return node.GetOpset() >= 11 ? !is_upper : is_upper;
}

// An output that is larger than all windows together grows at its end.
void PadTo(const Node& node, std::int64_t target, bool is_more_at_begin, std::uint32_t axis,
           TransposedConvolutionDescriptor& descriptor, std::int64_t full_extent) {
  const std::int64_t total = full_extent - target;
  if (total < 0) {
    const std::int64_t output_padding = descriptor.output_padding[axis] - total;
    descriptor.output_padding[axis] = CheckRange(node, output_padding, 0, "output padding");
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 0;
    return;
  }
  const std::int64_t begin = is_more_at_begin ? total - total / 2 : total / 2;
  descriptor.pads_begin[axis] = CheckRange(node, begin, 0, "padding");
  descriptor.pads_end[axis] = CheckRange(node, total - begin, 0, "padding");
}

}  // namespace

void ConvertConvTranspose(Node& node) {
  Window window = ReadSteps(node, ReadConvKernel(node));
  const AutoPad auto_pad = ReadPads(node, window);
  TransposedConvolutionDescriptor descriptor;
  CopyWindow(window, descriptor);
  descriptor.groups = ReadGroups(node);
  const auto output_padding = ReadList(node, "output_padding", window.spatial_rank, 0);
  const auto target = FindTarget(node, window, auto_pad);
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    descriptor.output_padding[axis] = CheckRange(node, output_padding[axis], 0, "output_padding");
    if (!target) continue;
    PadTo(node, (*target)[axis], IsMoreAtBegin(node, auto_pad), axis, descriptor,
          GetFullExtent(node, window, output_padding[axis], axis));
  }
  node.SetOutput(node.AddLayer<LayerType::kTransposedConvolution>(descriptor, GetConvInputs(node)));
}

}  // namespace backplane::onnx
