#include "operators/integer_product.hpp"

#include "operators/conv.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

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

OutputSlot AddScales(Node& node, OutputSlot sums, OutputSlot first_scale, OutputSlot second_scale,
                     const std::string& suffix) {
  const OutputSlot scales =
      AddBinary(node, BinaryOperation::kMul, first_scale, second_scale, suffix + "/scales");
  const OutputSlot reals = AddCast(node, sums, DataType::kFloat32, suffix + "/reals");
  return AddBinary(node, BinaryOperation::kMul, reals, scales, suffix);
}

OutputSlot AddScaledIntegerProduct(Node& node, const IntegerFactor& first,
                                   const IntegerFactor& second, const std::string& suffix) {
  const TensorShape& scale = node.GetInputShape(first.scale);
  if (scale.rank > 1 || scale.GetNumElements() != 1) {
    node.RefuseAsUnsupported("the scale of its first factor is " + ToText(scale) +
                             "; one for the whole factor is supported");
  }
  const OutputSlot sums = node.AddLayer<LayerType::kIntegerMatMul>(
      {}, GetIntegerOperands(node, first.input, first.zero_point, second.input, second.zero_point),
      suffix + "/sums");
  return AddScales(node, sums, GetReals(node, first.scale, suffix + "/first_scale"),
                   GetReals(node, second.scale, suffix + "/second_scale"), suffix);
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
