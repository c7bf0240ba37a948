#include "operators/blocked_constant.hpp"
#include "operators/cast_layer.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstdint>

namespace backplane::onnx {
namespace {

// Since operator set 21 scales may be of blocks along the axis.
std::int64_t ReadBlock(Node& node) {
  const std::int64_t size = node.GetAttributes().FindInt("block_size").value_or(0);
  if (size >= 0) return size;
  node.RefuseAsInvalid("block_size is " + std::to_string(size) + "; 0 or a size is expected");
}

// The scale is input 1 and the zero point input 2, along an axis that has no meaning for one scale.
QuantizationInputs ReadInputs(Node& node, bool has_axis) {
  QuantizationInputs inputs{1, 2, 0};
  if (!has_axis) return inputs;
  inputs.block = ReadBlock(node);
  const std::int64_t axis = node.GetAttributes().FindInt("axis").value_or(1);
  const TensorShape& scale = node.GetInputShape(1);
  if (inputs.block == 0 && scale.GetNumElements() == 1) return inputs;
  inputs.axis = node.ResolveAxis(axis, node.GetInputShape(0).rank);
  return inputs;
}

// A type as a number of ONNX; `otherwise` when none is stated, or 0.
DataType ReadType(Node& node, const char* name, DataType otherwise, const char* supported) {
  const std::int64_t stated = node.GetAttributes().FindInt(name).value_or(0);
  if (stated == 0) return otherwise;
  const DataType type = FromOnnxType(stated);
  if (type != DataType::kUndefined) return type;
  node.GetAttributes().Refuse(name, std::to_string(stated), supported);
}

// Since operator set 23 the precision of the division may be stated. float64 has every int32.
OutputSlot GetReals(Node& node) {
  const OutputSlot input = node.GetInput(0);
  const DataType type = node.GetInfo(input).data_type;
  const DataType usual = type == DataType::kInt32 ? DataType::kFloat64 : type;
  const DataType precision = ReadType(node, "precision", usual, "floats are supported");
  if (!IsFloat(precision)) {
    node.GetAttributes().Refuse("precision", GetDataTypeName(precision), "floats are supported");
  }
  return AddCast(node, input, precision, "/cast");
}

// Since operator set 21 the type may be stated; otherwise it is that of the zero point.
DataType ReadQuantizedType(Node& node, const QuantizationInputs& inputs) {
  const DataType of_zero_point = GetQuantizedType(node, inputs);
  const DataType type =
      ReadType(node, "output_dtype", of_zero_point, "types of up to 32 bits are supported");
  if (node.HasInput(inputs.zero_point) && of_zero_point != type) {
    node.RefuseAsInvalid(std::string("output_dtype is ") + GetDataTypeName(type) +
                         ", but its zero point is " + GetDataTypeName(of_zero_point));
  }
  return type;
}

// `saturate` is of floats of 8 bits.
NarrowOverflow ReadOverflow(Node& node) {
  const bool saturates = node.GetAttributes().FindInt("saturate").value_or(1) != 0;
  return saturates ? NarrowOverflow::kSaturate : NarrowOverflow::kSpecial;
}

void Quantize(Node& node, bool has_axis) {
  const QuantizationInputs inputs = ReadInputs(node, has_axis);
  const DataType type = ReadQuantizedType(node, inputs);
  const NarrowOverflow overflow = ReadOverflow(node);
  const OutputSlot reals = GetReals(node);
  if (IsNarrowFloat(type)) {
    CastDescriptor cast;
    cast.to = type;
    cast.overflow = overflow;
    return node.SetOutput(AddNarrowQuantization(node, reals, inputs, cast));
  }
  const auto quantization = IsNarrowInteger(type) ? std::nullopt : FindQuantization(node, inputs);
  if (!quantization) return node.SetOutput(AddQuantization(node, reals, inputs, type, ""));
  node.SetOutput(
      node.AddLayer<LayerType::kQuantize>({}, {reals}, "", {OutputType(type, *quantization)}));
}

// The result has the type of the scale, or, since operator set 23, the one that is stated.
void Dequantize(Node& node, bool has_axis) {
  const QuantizationInputs inputs = ReadInputs(node, has_axis);
  const DataType type = ReadType(node, "output_dtype", node.GetInputInfo(inputs.scale).data_type,
                                 "floats are supported");
  if (!IsFloat(type)) {
    node.GetAttributes().Refuse("output_dtype", GetDataTypeName(type), "floats are supported");
  }
  if (const auto reals = FindDequantizedConstant(node, inputs, type)) {
    return node.SetOutput(*reals);
  }
  const bool is_narrow = IsNarrowType(node.GetInputInfo(0).data_type);
  const auto quantization = is_narrow ? std::nullopt : FindQuantization(node, inputs);
  if (!quantization) {
    const OutputSlot reals = AddDequantization(node, node.GetInput(0), inputs, "");
    return node.SetOutput(AddCast(node, reals, type, "/output_type"));
  }
  DequantizeDescriptor descriptor;
  descriptor.to = type;
  node.SetOutput(
      node.AddLayer<LayerType::kDequantize>(descriptor, {node.GetInputAs(0, *quantization)}));
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
