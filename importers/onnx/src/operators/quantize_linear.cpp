#include "graph/operator_table.hpp"
#include "operators/quantization.hpp"

namespace backplane::onnx {
namespace {

// The scale is input 1 and the zero point input 2, along an axis that has no meaning for one scale.
QuantizationInputs ReadInputs(Node& node, bool has_axis) {
  QuantizationInputs inputs{1, 2, 0};
  if (!has_axis) return inputs;
  const std::int64_t axis = node.GetAttributes().FindInt("axis").value_or(1);
  if (node.GetInputShape(1).GetNumElements() == 1) return inputs;
  inputs.axis = node.ResolveAxis(axis, node.GetInputShape(0).rank);
  return inputs;
}

// float64 has every int32.
OutputSlot GetReals(Node& node) {
  const OutputSlot input = node.GetInput(0);
  if (node.GetInfo(input).data_type != DataType::kInt32) return input;
  return AddCast(node, input, DataType::kFloat64, "/cast");
}

void Quantize(Node& node, bool has_axis) {
  const QuantizationInputs inputs = ReadInputs(node, has_axis);
  const DataType type = GetQuantizedType(node, inputs);
  const auto quantization = FindQuantization(node, inputs);
  if (!quantization) {
    return node.SetOutput(AddQuantization(node, GetReals(node), inputs, type, ""));
  }
  node.SetOutput(node.AddLayer<LayerType::kQuantize>({}, {GetReals(node)}, "",
                                                     {OutputType(type, *quantization)}));
}

void Dequantize(Node& node, bool has_axis) {
  const QuantizationInputs inputs = ReadInputs(node, has_axis);
  const auto quantization = FindQuantization(node, inputs);
  if (!quantization) {
    return node.SetOutput(AddDequantization(node, node.GetInput(0), inputs, ""));
  }
  node.SetOutput(node.AddLayer<LayerType::kDequantize>({}, {node.GetInputAs(0, *quantization)}));
}

}  // namespace

void ConvertQuantizeLinear(Node& node) {
  Quantize(node, node.GetOpset() >= 13);
}

void ConvertDequantizeLinear(Node& node) {
  Dequantize(node, node.GetOpset() >= 13);
}

void ConvertMicrosoftQuantizeLinear(Node& node) {
  Quantize(node, true);
}

void ConvertMicrosoftDequantizeLinear(Node& node) {
  Dequantize(node, true);
}

void ConvertDynamicQuantizeLinear(Node& node) {
  const OutputSlot elements = node.AddLayer<LayerType::kDynamicQuantize>({}, {node.GetInput(0)});
  for (std::uint32_t output = 0; output < 3; ++output) {
    node.SetOutput(output, OutputSlot{elements.layer, output});
  }
}

}  // namespace backplane::onnx
