#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

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
