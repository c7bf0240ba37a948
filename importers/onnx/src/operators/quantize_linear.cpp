#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "tensors/data_types.hpp"

#include <cstdint>
#include <limits>

namespace backplane::onnx {
namespace {

// Since operator set 21 scales may be of blocks along the axis.
void RefuseBlocks(Node& node) {
  const std::int64_t size = node.GetAttributes().FindInt("block_size").value_or(0);
  if (size == 0) return;
  node.GetAttributes().Refuse("block_size", std::to_string(size), "only 0 is supported");
}

// The scale is input 1 and the zero point input 2, along an axis that has no meaning for one scale.
QuantizationInputs ReadInputs(Node& node, bool has_axis) {
  node.GetAttributes().Ignore("saturate");  // of types of 8 bits that Backplane lacks
  QuantizationInputs inputs{1, 2, 0};
  if (!has_axis) return inputs;
  RefuseBlocks(node);
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

// Since operator set 21 the type may be stated; otherwise, and with 0, it is that of the zero
// point.
DataType ReadQuantizedType(Node& node, const QuantizationInputs& inputs) {
  const std::int64_t stated = node.GetAttributes().FindInt("output_dtype").value_or(0);
  if (stated == 0) return GetQuantizedType(node, inputs);
  const bool is_number = stated > 0 && stated <= std::numeric_limits<std::int32_t>::max();
  const DataType type =
      is_number ? FromOnnxType(static_cast<std::int32_t>(stated)) : DataType::kUndefined;
  if (node.HasInput(inputs.zero_point) && GetQuantizedType(node, inputs) != type) {
    node.RefuseAsInvalid("output_dtype is " + std::to_string(stated) +
                         ", but its zero point has another type");
  }
  if (type != DataType::kUndefined) return type;
  node.GetAttributes().Refuse("output_dtype", std::to_string(stated),
                              "types of 8, 16 and 32 bits are supported");
}

void Quantize(Node& node, bool has_axis) {
  const QuantizationInputs inputs = ReadInputs(node, has_axis);
  const DataType type = ReadQuantizedType(node, inputs);
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
