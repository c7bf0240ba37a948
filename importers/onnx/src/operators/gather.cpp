#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

std::uint32_t ReadGatherAxis(Node& node) {
  const std::int64_t stated = node.GetAttributes().FindInt("axis").value_or(0);
  return node.ResolveAxis(stated, node.GetInputShape(0).rank);
}

}  // namespace

void ConvertGather(Node& node) {
  GatherDescriptor descriptor;
  descriptor.axis = ReadGatherAxis(node);
  node.SetOutput(
      node.AddLayer<LayerType::kGather>(descriptor, {node.GetMovedInput(0), node.GetInput(1)}));
}

void ConvertGatherElements(Node& node) {
  GatherElementsDescriptor descriptor;
  descriptor.axis = ReadGatherAxis(node);
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
