#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

template <LayerType kType>
OutputSlot AddAlong(Node& node, OutputSlot input, std::uint32_t axis) {
  typename DescriptorOf<kType>::Type descriptor;
  descriptor.axis = axis;
  return node.AddLayer<kType>(descriptor, {input});
}

// Until operator set 12 the input counts as a matrix: the axes before `axis` are its rows, the
// others together are one axis. With at most one extent that is not 1 among those, that is the same
// as running along its axis.
template <LayerType kType>
void ConvertFlattened(Node& node, std::uint32_t axis) {
  const TensorShape shape = node.GetInputShape(0);
  std::uint32_t wide_axis = axis;
  std::uint32_t num_wide = 0;
  TensorShape matrix = {1, 1};
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    matrix[i < axis ? 0 : 1] *= shape[i];
    if (i < axis || shape[i] == 1) continue;
    wide_axis = i;
    ++num_wide;
  }
  if (num_wide <= 1) {
    return node.SetOutput(AddAlong<kType>(node, node.GetInput(0), wide_axis));
  }
  const OutputSlot rows = node.AddReshape(node.GetInput(0), matrix, "/flatten");
  node.SetOutput(node.AddReshape(AddAlong<kType>(node, rows, 1), shape, "/restore"));
}

template <LayerType kType>
void Convert(Node& node) {
  const bool is_flattened = node.GetOpset() < 13;
  const std::uint32_t axis = ReadAxis(node, is_flattened ? 1 : -1);
  if (is_flattened) return ConvertFlattened<kType>(node, axis);
  node.SetOutput(AddAlong<kType>(node, node.GetInput(0), axis));
}

}  // namespace

void ConvertSoftmax(Node& node) {
  Convert<LayerType::kSoftmax>(node);
}

void ConvertLogSoftmax(Node& node) {
  Convert<LayerType::kLogSoftmax>(node);
}

void ConvertHardmax(Node& node) {
  Convert<LayerType::kHardmax>(node);
}

}  // namespace backplane::onnx
