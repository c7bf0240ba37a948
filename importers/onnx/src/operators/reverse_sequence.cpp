#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertReverseSequence(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  ReverseSequenceDescriptor descriptor;
  descriptor.batch_axis =
      node.ResolveAxis(node.GetAttributes().FindInt("batch_axis").value_or(1), rank);
  descriptor.time_axis =
      node.ResolveAxis(node.GetAttributes().FindInt("time_axis").value_or(0), rank);
  node.SetOutput(node.AddLayer<LayerType::kReverseSequence>(
      descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
