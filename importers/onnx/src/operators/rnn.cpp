#include "operators/operator_table.hpp"
#include "operators/recurrent.hpp"

#include <algorithm>

namespace backplane::onnx {

void ConvertRNN(Node& node) {
  RnnDescriptor descriptor;
  ReadRecurrent(node, descriptor);
  const auto gates = ReadGates(node, {"Tanh"}, descriptor.direction);
  std::copy(gates.begin(), gates.end(), descriptor.gates);
  SetRecurrentOutputs(node, node.AddLayer<LayerType::kRnn>(descriptor, GetRecurrentInputs(node)),
                      2);
}

}  // namespace backplane::onnx
