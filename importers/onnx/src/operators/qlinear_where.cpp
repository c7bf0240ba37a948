#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"

namespace backplane::onnx {

// Inputs: the condition; X, its scale and zero point; Y with both; scale and zero point of the
// result.
void ConvertMicrosoftQLinearWhere(Node& node) {
  const QuantizationInputs of_result = {7, 8, 0};
  const auto known = FindQuantization(node, of_result);
  const OutputSlot chosen = AddRequantized(node, {1, {2, 3, 0}}, of_result, known, "/x");
  const OutputSlot other = AddRequantized(node, {4, {5, 6, 0}}, of_result, known, "/y");
  node.SetOutput(node.AddLayer<LayerType::kWhere>({}, {node.GetInput(0), chosen, other}));
}

}  // namespace backplane::onnx
