#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertDet(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kDeterminant>({}, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
