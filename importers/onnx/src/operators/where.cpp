#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertWhere(Node& node) {
  node.SetOutput(
      node.AddLayer<LayerType::kWhere>({}, {node.GetInput(0), node.GetInput(1), node.GetInput(2)}));
}

}  // namespace backplane::onnx
