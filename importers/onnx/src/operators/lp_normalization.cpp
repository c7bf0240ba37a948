#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {

void ConvertLpNormalization(Node& node) {
  const std::int64_t order = node.GetAttributes().FindInt("p").value_or(2);
  if (order != 1 && order != 2) {
    node.GetAttributes().Refuse("p", std::to_string(order), "only 1 and 2 are supported");
  }
  LpNormalizationDescriptor descriptor;
  descriptor.axis = ReadAxis(node, -1);
  descriptor.order = static_cast<std::uint32_t>(order);
  node.SetOutput(node.AddLayer<LayerType::kLpNormalization>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
