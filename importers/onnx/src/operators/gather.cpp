#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
void ConvertGather(Node& node) {
  GatherDescriptor descriptor;
  descriptor.axis = ReadAxis(node, 0);
  node.SetOutput(
      node.AddLayer<LayerType::kGather>(descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

void ConvertGatherElements(Node& node) {
  GatherElementsDescriptor descriptor;
  descriptor.axis = ReadAxis(node, 0);
  node.SetOutput(node.AddLayer<LayerType::kGatherElements>(
      descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

void ConvertGatherND(Node& node) {
  const std::int64_t batch_dims = node.GetAttributes().FindInt("batch_dims").value_or(0);
  if (batch_dims < 0 || batch_dims > node.GetInputShape(0).rank) {
    node.RefuseAsInvalid("its batch_dims is " + std::to_string(batch_dims) +
                         "; 0 to less than the rank of its inputs is expected");
  }
  GatherNdDescriptor descriptor;
  descriptor.batch_dims = static_cast<std::uint32_t>(batch_dims);
  node.SetOutput(
      node.AddLayer<LayerType::kGatherNd>(descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
