#include "operators/quantization.hpp"

#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "tensors/shape.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <algorithm>
#include <cmath>

namespace backplane::onnx {
namespace {

bool IsList(const TensorShape& shape) {
  return shape.rank <= 1 || shape.GetNumElements() == 1;
}

void CheckNumber(Node& node, const QuantizationInputs& inputs) {
  if (!node.HasInput(inputs.zero_point)) return;
  const TensorShape& scale = node.GetInputShape(inputs.scale);
  const TensorShape& zero_point = node.GetInputShape(inputs.zero_point);
  if (zero_point.GetNumElements() == scale.GetNumElements()) return;
  node.RefuseAsInvalid("its input " + std::to_string(inputs.zero_point) + ", a zero point, is " +
                       ToText(zero_point) + "; as many as scales are expected, " + ToText(scale));
}

// One for each block as one for each element of the shape.
OutputSlot SpreadBlocks(Node& node, OutputSlot list, const QuantizationInputs& inputs,
                        const TensorShape& shape, const std::string& suffix) {
  const TensorShape found = node.GetInfo(list).shape;
  const std::int64_t extent = shape[inputs.axis];
  const std::int64_t num_blocks = extent / inputs.block + (extent % inputs.block != 0 ? 1 : 0);
  TensorShape expected = shape;
  expected[inputs.axis] = num_blocks;
  if (found != expected) {
    node.RefuseAsInvalid("its scales or zero points are " + ToText(found) + "; for blocks of " +
                         std::to_string(inputs.block) + " along axis " +
                         std::to_string(inputs.axis) + " of " + ToText(shape) + ", " +
                         ToText(expected) + " is expected");
  }
  // One that is longer than the axis is all of it.
  const std::int64_t block = std::min(inputs.block, std::max<std::int64_t>(extent, 1));
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (std::uint32_t axis = 0; axis < inputs.axis; ++axis) outer *= shape[axis];
  for (std::uint32_t axis = inputs.axis + 1; axis < shape.rank; ++axis) inner *= shape[axis];
  TensorShape whole = shape;
  whole[inputs.axis] = num_blocks * block;
  const OutputSlot apart = node.AddReshape(list, {outer, num_blocks, 1, inner}, suffix + "/apart");
  const OutputSlot blocks =
      AddExpand(node, apart, {outer, num_blocks, block, inner}, suffix + "/repeated");
  const OutputSlot all = node.AddReshape(blocks, whole, suffix + "/whole");
  return TakeElements(node, all, inputs.axis, 0, extent, suffix);
}

// As it broadcasts to a tensor of the shape.
OutputSlot Align(Node& node, OutputSlot list, const QuantizationInputs& inputs,
                 const TensorShape& shape, const std::string& suffix) {
  if (inputs.block > 0) return SpreadBlocks(node, list, inputs, shape, suffix);
  return AlignWithAxis(node, list, inputs.axis, shape.rank, suffix);
}

OutputSlot AddQuotients(Node& node, OutputSlot reals, const QuantizationInputs& inputs,
                        const std::string& suffix) {
  const TensorInfo info = node.GetInfo(reals);
  const OutputSlot list =
      AddCast(node, node.GetInput(inputs.scale), info.data_type, suffix + "/scale_type");
  const OutputSlot scale = Align(node, list, inputs, info.shape, suffix + "/scale_shape");
  return AddBinary(node, BinaryOperation::kDiv, reals, scale, suffix + "/scale");
}

OutputSlot AddZeroPoint(Node& node, OutputSlot quotients, const QuantizationInputs& inputs,
                        const std::string& suffix) {
  if (!node.HasInput(inputs.zero_point)) return quotients;
  const TensorInfo info = node.GetInfo(quotients);
  const OutputSlot zero_point =
      AddCast(node, node.GetInput(inputs.zero_point), info.data_type, suffix + "/zero_point");
  return AddBinary(node, BinaryOperation::kAdd, quotients,
                   Align(node, zero_point, inputs, info.shape, suffix + "/zero_point_shape"),
                   suffix + "/add");
}

bool IsPossible(float scale) {
  return std::isfinite(scale) && scale > 0.0F;
}

}  // namespace

std::optional<QuantizationInfo> FindQuantization(Node& node, const QuantizationInputs& inputs) {
  CheckNumber(node, inputs);
  if (inputs.block > 0) return {};
  const bool has_zero_point = node.HasInput(inputs.zero_point);
  if (!node.IsConstant(inputs.scale) || !IsList(node.GetInputShape(inputs.scale))) return {};
  if (has_zero_point && !node.IsConstant(inputs.zero_point)) return {};
  // Every layer and tensor with it has a copy.
  const std::int64_t count = node.GetInputShape(inputs.scale).GetNumElements();
  if (count > 1 && !node.TakeMemory(static_cast<std::uint64_t>(count * kBytesOfScale))) return {};
  QuantizationInfo info;
  info.axis = static_cast<std::int32_t>(inputs.axis);
  std::vector<float> scales;
  for (const double scale : ReadElements<double>(node.GetValue(inputs.scale))) {
    scales.push_back(static_cast<float>(scale));
  }
  if (scales.empty() || !std::all_of(scales.begin(), scales.end(), &IsPossible)) return {};
  std::vector<std::int32_t> zero_points(scales.size());
  if (has_zero_point) {
    const auto given = ReadElements<std::int64_t>(node.GetValue(inputs.zero_point));
    std::transform(given.begin(), given.end(), zero_points.begin(),
                   [](std::int64_t value) { return static_cast<std::int32_t>(value); });
  }
  info.scales = std::move(scales);
  info.zero_points = std::move(zero_points);
  return info;
}

DataType GetQuantizedType(Node& node, const QuantizationInputs& inputs) {
  if (!node.HasInput(inputs.zero_point)) return DataType::kUInt8;
  return node.GetInputInfo(inputs.zero_point).data_type;
}

OutputSlot AlignWithAxis(Node& node, OutputSlot list, std::uint32_t axis, std::uint32_t rank,
                         const std::string& suffix) {
  const TensorShape shape = node.GetInfo(list).shape;
  const std::int64_t count = shape.GetNumElements();
  if (shape.rank != 1) return list;
  TensorShape aligned;
  if (count != 1) aligned.Append(count);
  for (std::uint32_t i = axis + 1; i < rank && count != 1; ++i) aligned.Append(1);
  if (aligned == shape) return list;
  return node.AddReshape(list, aligned, suffix);
}

OutputSlot AddDequantization(Node& node, OutputSlot input, const QuantizationInputs& inputs,
                             const std::string& suffix) {
  const TensorShape shape = node.GetInfo(input).shape;
  OutputSlot reals = AddCast(node, input, DataType::kFloat32, suffix + "/cast");
  if (node.HasInput(inputs.zero_point)) {
    const OutputSlot zero_point =
        AddCast(node, node.GetInput(inputs.zero_point), DataType::kFloat32, suffix + "/zero_point");
    reals = AddBinary(node, BinaryOperation::kSub, reals,
                      Align(node, zero_point, inputs, shape, suffix + "/zero_point_shape"),
                      suffix + "/subtract");
  }
  const OutputSlot list =
      AddCast(node, node.GetInput(inputs.scale), DataType::kFloat32, suffix + "/scale_type");
  const OutputSlot scale = Align(node, list, inputs, shape, suffix + "/scale_shape");
  return AddBinary(node, BinaryOperation::kMul, reals, scale, suffix + "/scale");
}

OutputSlot AddQuantization(Node& node, OutputSlot reals, const QuantizationInputs& inputs,
                           DataType to, const std::string& suffix) {
  return AddRounding(node, AddQuotients(node, reals, inputs, suffix), inputs, to, suffix);
}

OutputSlot AddRounding(Node& node, OutputSlot quotients, const QuantizationInputs& inputs,
                       DataType to, const std::string& suffix) {
  const OutputSlot whole = AddUnary(node, UnaryOperation::kRound, quotients, suffix + "/round");
  return AddCast(node, AddZeroPoint(node, whole, inputs, suffix), to, suffix + "/saturate");
}

OutputSlot AddNarrowQuantization(Node& node, OutputSlot reals, const QuantizationInputs& inputs,
                                 const CastDescriptor& cast) {
  const OutputSlot quotients = AddQuotients(node, reals, inputs, "");
  return node.AddLayer<LayerType::kCast>(cast, {AddZeroPoint(node, quotients, inputs, "")});
}

OutputSlot AddRequantized(Node& node, const QuantizedOperand& operand,
                          const QuantizationInputs& result,
                          const std::optional<QuantizationInfo>& known, const std::string& suffix) {
  const DataType type = node.GetInputInfo(operand.input).data_type;
  const auto found = FindQuantization(node, operand.quantization);
  if (found && known && *found == *known) return node.GetInputAs(operand.input, *known);
  const OutputSlot reals =
      found ? node.AddLayer<LayerType::kDequantize>({}, {node.GetInputAs(operand.input, *found)},
                                                    suffix + "/reals")
            : AddDequantization(node, node.GetInput(operand.input), operand.quantization, suffix);
  if (!known) return AddQuantization(node, reals, result, type, suffix + "/result");
  return node.AddLayer<LayerType::kQuantize>({}, {reals}, suffix, {OutputType(type, *known)});
}

OutputSlot AddBetweenQuantized(
    Node& node, const std::vector<QuantizedOperand>& operands, const QuantizationInputs& result,
    const std::function<OutputSlot(const std::vector<OutputSlot>&, const std::vector<OutputType>&)>&
        add_layer) {
  const DataType type = node.GetInputInfo(operands[0].input).data_type;
  std::vector<QuantizationInfo> quantizations;
  for (const QuantizedOperand& operand : operands) {
    const auto quantization = FindQuantization(node, operand.quantization);
    if (quantization) quantizations.push_back(*quantization);
  }
  const auto of_result = FindQuantization(node, result);
  const bool are_known = of_result && quantizations.size() == operands.size();
  std::vector<OutputSlot> slots;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::size_t input = operands[i].input;
    slots.push_back(are_known
                        ? node.GetInputAs(input, quantizations[i])
                        : AddDequantization(node, node.GetInput(input), operands[i].quantization,
                                            "/operand" + std::to_string(i)));
  }
  if (are_known) return add_layer(slots, {OutputType(type, *of_result)});
  return AddQuantization(node, add_layer(slots, {}), result, type, "/result");
}

}  // namespace backplane::onnx
