#include "operators/element_layers.hpp"
#include "operators/integer_product.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void SetBiased(Node& node, OutputSlot product, std::size_t bias, DataType type) {
  if (node.HasInput(bias)) {
    product =
        AddBinary(node, BinaryOperation::kAdd, product, GetReals(node, bias, "/bias"), "/sum");
  }
  node.SetOutput(AddCast(node, product, type, "/output"));
}

}  // namespace

// Inputs: A, B, their scales, their zero points, bias.
void ConvertMicrosoftMatMulIntegerToFloat(Node& node) {
  SetBiased(node, AddScaledIntegerProduct(node, {0, 2, 4}, {1, 3, 5}, ""), 6,
            node.GetInputInfo(3).data_type);
}

// Inputs: A in float32, which is quantised as its elements need; B, its scale and zero point, bias.
void ConvertMicrosoftDynamicQuantizeMatMul(Node& node) {
  const OutputSlot rows =
      node.AddLayer<LayerType::kDynamicQuantize>({}, {GetReals(node, 0, "/a")}, "/a/quantised");
  std::vector<OutputSlot> operands = {rows, node.GetInput(1), {rows.layer, 2}};
  if (node.HasInput(3)) operands.push_back(node.GetInput(3));
  const OutputSlot sums = node.AddLayer<LayerType::kIntegerMatMul>({}, operands, "/sums");
  SetBiased(node, AddScales(node, sums, {rows.layer, 1}, GetReals(node, 2, "/b_scale"), ""), 4,
            node.GetInputInfo(0).data_type);
}

}  // namespace backplane::onnx
