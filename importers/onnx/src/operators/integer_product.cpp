#include "operators/integer_product.hpp"

#include "operators/conv_attributes.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

std::vector<OutputSlot> GetIntegerOperands(Node& node, std::size_t a, std::size_t a_zero_point,
                                           std::size_t b, std::size_t b_zero_point) {
  std::vector<OutputSlot> inputs = {node.GetInput(a), node.GetInput(b)};
  const bool has_second = node.HasInput(b_zero_point);
  if (node.HasInput(a_zero_point)) {
    inputs.push_back(node.GetInput(a_zero_point));
  } else if (has_second) {
    const unsigned char zero = 0;
    inputs.push_back(node.AddConstant({{}, node.GetInputInfo(a).data_type}, &zero, "/zero_point"));
  }
  if (has_second) inputs.push_back(node.GetInput(b_zero_point));
  return inputs;
}

void ConvertConvInteger(Node& node) {
  const ConvolutionDescriptor descriptor = ReadConvolution(node, 1);
  node.SetOutput(node.AddLayer<LayerType::kIntegerConvolution>(
      descriptor, GetIntegerOperands(node, 0, 2, 1, 3)));
}

void ConvertMatMulInteger(Node& node) {
  node.SetOutput(
      node.AddLayer<LayerType::kIntegerMatMul>({}, GetIntegerOperands(node, 0, 2, 1, 3)));
}

}  // namespace backplane::onnx
