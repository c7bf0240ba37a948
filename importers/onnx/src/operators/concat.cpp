#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertConcat(Node& node) {
  const auto axis = node.GetAttributes().FindInt("axis");
  if (!axis && node.GetOpset() >= 4) node.RefuseAsInvalid("axis is absent, but is needed");
  ConcatDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(axis.value_or(1), node.GetInputShape(0).rank);
  node.SetOutput(node.AddLayer<LayerType::kConcat>(descriptor, node.GetMovedInputs()));
}

}  // namespace backplane::onnx
