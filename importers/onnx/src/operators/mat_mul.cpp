#include "graph/node.hpp"
#include "graph/operator_table.hpp"

namespace backplane::onnx {

void ConvertMatMul(Node& node) {
  const bool is_weighted =
      node.GetInputShape(0).rank == 2 && node.GetInputShape(1).rank == 2 && node.IsConstant(1);
  const std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  node.SetOutput(is_weighted ? node.AddLayer<LayerType::kFullyConnected>({}, inputs)
                             : node.AddLayer<LayerType::kBatchMatMul>({}, inputs));
}

}  // namespace backplane::onnx
