#include "operators/operator_table.hpp"
#include "operators/recurrent.hpp"

#include <algorithm>

namespace backplane::onnx {

void ConvertLSTM(Node& node) {
  LstmDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  descriptor.has_initial_cell = node.HasInput(6) ? 1 : 0;
  descriptor.has_peepholes = node.HasInput(7) ? 1 : 0;
  const bool has_input_forget = node.GetAttributes().FindInt("input_forget").value_or(0) != 0;
  descriptor.input_forget = has_input_forget ? 1 : 0;
  const auto gates = ReadGates(node, {"Sigmoid", "Tanh", "Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), &descriptor.gates[0][0]);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kLstm>(descriptor, GetRecurrentInputs(node)),
                      3);
}

}  // namespace backplane::onnx
