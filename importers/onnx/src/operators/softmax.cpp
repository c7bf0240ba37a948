#include "graph/node.hpp"
#include "graph/operator_table.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddSoftmax(Node& node, OutputSlot input, std::uint32_t axis) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  return node.AddLayer<LayerType::kSoftmax>(descriptor, {input});
}

// Until operator set 12 the input counts as a matrix: the axes before `axis` are its rows, the
// others together are what is summed over. With at most one extent that is not 1 among those, that
// is the same as a softmax along its axis.
void ConvertFlattened(Node& node, std::uint32_t axis) {
  const TensorShape shape = node.GetInputShape(0);
  std::uint32_t summed_axis = axis;
  std::uint32_t num_wide = 0;
  TensorShape matrix = {1, 1};
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    matrix[i < axis ? 0 : 1] *= shape[i];
    if (i < axis || shape[i] == 1) continue;
    summed_axis = i;
    ++num_wide;
  }
  if (num_wide <= 1) return node.SetOutput(AddSoftmax(node, node.GetInput(0), summed_axis));
  const OutputSlot rows = node.AddReshape(node.GetInput(0), matrix, "/flatten");
  node.SetOutput(node.AddReshape(AddSoftmax(node, rows, 1), shape, "/restore"));
}

}  // namespace

void ConvertSoftmax(Node& node) {
  const bool is_flattened = node.GetOpset() < 13;
  const std::int64_t stated = node.GetAttributes().FindInt("axis").value_or(is_flattened ? 1 : -1);
  const std::uint32_t rank = node.GetInputShape(0).rank;
  const std::uint32_t axis = node.ResolveAxis(stated, rank);
  if (is_flattened) return ConvertFlattened(node, axis);
  node.SetOutput(AddSoftmax(node, node.GetInput(0), axis));
}

}  // namespace backplane::onnx
