#include "operators/operator_table.hpp"
#include "operators/recurrent.hpp"

#include <algorithm>

namespace backplane::onnx {

void ConvertGRU(Node& node) {
  GruDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  const bool is_linear = node.GetAttributes().FindInt("linear_before_reset").value_or(0) != 0;
  descriptor.linear_before_reset = is_linear ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kGru>(descriptor, GetRecurrentInputs(node)),
                      2);
}

}  // namespace backplane::onnx
