#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

std::int64_t ReadDepth(Node& node) {
  const std::vector<double> depth = node.ReadConstantReals(1, "depth");
  if (depth.size() != 1 || !(depth[0] >= 0 && depth[0] < 0x1p62)) {
    node.RefuseAsInvalid("its depth is not one number of 0 or more");
  }
  return static_cast<std::int64_t>(depth[0]);
}

ScatterReduction ReadScatterReduction(Node& node) {
  const std::string reduction = node.GetAttributes().FindString("reduction").value_or("none");
  if (reduction == "none") return ScatterReduction::kNone;
  if (reduction == "add") return ScatterReduction::kAdd;
  if (reduction == "mul") return ScatterReduction::kMul;
  if (reduction == "max") return ScatterReduction::kMax;
  if (reduction == "min") return ScatterReduction::kMin;
  node.GetAttributes().Refuse("reduction", reduction, "none, add, mul, max and min");
}

std::vector<OutputSlot> GetThreeInputs(Node& node) {
  return {node.GetInput(0), node.GetInput(1), node.GetInput(2)};
}

}  // namespace

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

void ConvertOneHot(Node& node) {
  OneHotDescriptor descriptor;
  const std::int64_t stated = node.GetAttributes().FindInt("axis").value_or(-1);
  descriptor.axis = node.ResolveAxis(stated, node.GetInputShape(0).rank + 1);
  descriptor.depth = ReadDepth(node);
  node.SetOutput(
      node.AddLayer<LayerType::kOneHot>(descriptor, {node.GetInput(0), node.GetInput(2)}));
}

void ConvertScatterElements(Node& node) {
  ScatterElementsDescriptor descriptor;
  descriptor.axis = ReadAxis(node, 0);
  descriptor.reduction = ReadScatterReduction(node);
  node.SetOutput(node.AddLayer<LayerType::kScatterElements>(descriptor, GetThreeInputs(node)));
}

// The name of ScatterElements until operator set 10.
void ConvertScatter(Node& node) {
  ConvertScatterElements(node);
}

void ConvertScatterND(Node& node) {
  ScatterNdDescriptor descriptor;
  descriptor.reduction = ReadScatterReduction(node);
  node.SetOutput(node.AddLayer<LayerType::kScatterNd>(descriptor, GetThreeInputs(node)));
}

}  // namespace backplane::onnx
