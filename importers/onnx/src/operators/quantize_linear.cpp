#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

// The bytes that elements become.
DataType FindByteType(DataType type) {
  if (type == DataType::kInt8 || type == DataType::kUInt8) return type;
  if (!IsNarrowInteger(type)) return DataType::kUndefined;
  return GetLeastNarrowInteger(type) < 0 ? DataType::kInt8 : DataType::kUInt8;
}

// What there is in front of the axis of the blocks, along it, and behind it.
struct Blocks {
  std::int64_t outer = 1;
  std::int64_t num_blocks = 0;
  std::int64_t block = 0;
  std::int64_t inner = 1;
};

std::optional<Blocks> FindBlocks(Node& node, const QuantizationInputs& inputs) {
  const TensorShape& shape = node.GetInputShape(0);
  const std::int64_t extent = shape[inputs.axis];
  if (extent == 0 || extent % inputs.block != 0) return {};
  TensorShape scales = shape;
  scales[inputs.axis] = extent / inputs.block;
  if (node.GetInputShape(inputs.scale) != scales) return {};
  if (node.HasInput(inputs.zero_point) && node.GetInputShape(inputs.zero_point) != scales) {
    return {};
  }
  Blocks blocks;
  blocks.num_blocks = scales[inputs.axis];
  blocks.block = inputs.block;
  for (std::uint32_t axis = 0; axis < inputs.axis; ++axis) blocks.outer *= shape[axis];
  for (std::uint32_t axis = inputs.axis + 1; axis < shape.rank; ++axis) blocks.inner *= shape[axis];
  return blocks;
}

// What lies along the axis of the blocks, `extent` of each, comes behind all other axes.
template <typename To, typename From>
std::vector<To> MoveBehind(const From* from, const Blocks& blocks, std::int64_t extent) {
  std::vector<To> moved;
  moved.reserve(static_cast<std::size_t>(blocks.outer * blocks.inner * extent));
  for (std::int64_t outer = 0; outer < blocks.outer; ++outer, from += extent * blocks.inner) {
    for (std::int64_t inner = 0; inner < blocks.inner; ++inner) {
      for (std::int64_t i = 0; i < extent; ++i) {
        moved.push_back(static_cast<To>(from[i * blocks.inner + inner]));
      }
    }
  }
  return moved;
}

std::shared_ptr<const void> MoveElements(const void* from, const Blocks& blocks) {
  const auto* bytes = static_cast<const unsigned char*>(from);
  const auto moved = std::make_shared<std::vector<unsigned char>>(
      MoveBehind<unsigned char>(bytes, blocks, blocks.num_blocks * blocks.block));
  return {moved, moved->data()};
}

OutputSlot AddReals(Node& node, const TensorInfo& bytes, std::shared_ptr<const void> data,
                    DataType type, const std::string& suffix) {
  DequantizeDescriptor descriptor;
  descriptor.to = type;
  return node.AddLayer<LayerType::kDequantize>(
      descriptor, {node.AddConstant(bytes, std::move(data), "/elements")}, suffix);
}

// The result, whose axis of blocks is behind all others, as the input is.
OutputSlot MoveBack(Node& node, OutputSlot reals, std::uint32_t axis) {
  const TensorShape& shape = node.GetInputShape(0);
  const std::uint32_t last = shape.rank - 1;
  if (axis == last) return node.AddReshape(reals, shape);
  TensorShape moved;
  std::vector<std::uint32_t> permutation;
  for (std::uint32_t i = 0; i <= last; ++i) {
    if (i != axis) moved.Append(shape[i]);
    permutation.push_back(i < axis ? i : i == axis ? last : i - 1);
  }
  moved.Append(shape[axis]);
  return AddTranspose(node, node.AddReshape(reals, moved, "/shape"), permutation, "");
}

std::optional<OutputSlot> FindReadBlocks(Node& node, const QuantizationInputs& inputs,
                                         DataType type) {
  const std::optional<Blocks> blocks = FindBlocks(node, inputs);
  if (!blocks) return {};
  const std::int64_t num_scales = blocks->outer * blocks->inner * blocks->num_blocks;
  TensorInfo info({num_scales, blocks->block}, FindByteType(node.GetInputInfo(0).data_type));
  info.quantization.axis = 0;
  const std::vector<double> scales = ReadElements<double>(node.GetValue(inputs.scale));
  info.quantization.scales = MoveBehind<float>(scales.data(), *blocks, blocks->num_blocks);
  for (const float scale : info.quantization.scales) {
    if (!std::isfinite(scale) || scale <= 0.0F) return {};
  }
  if (node.HasInput(inputs.zero_point)) {
    const auto zero_points = ReadElements<std::int64_t>(node.GetValue(inputs.zero_point));
    info.quantization.zero_points =
        MoveBehind<std::int32_t>(zero_points.data(), *blocks, blocks->num_blocks);
  }
  if (!node.TakeMemory(info.GetSizeBytes() +
                       static_cast<std::uint64_t>(num_scales * kBytesOfScale))) {
    return {};
  }
  const auto elements = MoveElements(node.GetValue(0).data.get(), *blocks);
  return MoveBack(node, AddReals(node, info, elements, type, "/reals"), inputs.axis);
}

// What a constant of the node's input 0 stands for, in a type of floats, as a layer on a quantized
// tensor of bytes, which backends may keep as it is: integers of fewer than 8 bits, and those of
// up to 8 bits whose scales are of blocks. Nothing when it is no such constant, a scale cannot be
// that of a tensor, or blocks do not fill up the axis.
// Errors: kInvalidModel when scales and zero points do not fit.
std::optional<OutputSlot> FindDequantizedConstant(Node& node, const QuantizationInputs& inputs,
                                                  DataType type) {
  const TensorInfo& info = node.GetInputInfo(0);
  const bool are_constants =
      node.IsConstant(0) && node.IsConstant(inputs.scale) &&
      (!node.HasInput(inputs.zero_point) || node.IsConstant(inputs.zero_point));
  const DataType byte_type = FindByteType(info.data_type);
  if (!are_constants || byte_type == DataType::kUndefined) return {};
  if (inputs.block > 0) return FindReadBlocks(node, inputs, type);
  if (!IsNarrowInteger(info.data_type)) return {};
  const auto quantization = FindQuantization(node, inputs);
  if (!quantization || !node.TakeMemory(info.GetSizeBytes())) return {};
  TensorInfo bytes(info.shape, byte_type);
  bytes.quantization = *quantization;
  const Blocks all = {1, 1, info.shape.GetNumElements(), 1};
  return AddReals(node, bytes, MoveElements(node.GetValue(0).data.get(), all), type, "");
}

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
  const bool saturates = node.GetAttributes().GetFlag("saturate", true);
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
