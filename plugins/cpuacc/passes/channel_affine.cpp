#include "passes/channel_affine.hpp"

#include "graph/matching.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

bool IsFinite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

std::optional<ChannelAffine> FindNormalization(const Graph& graph, const Node& node,
                                               std::uint32_t axis) {
  const auto descriptor = node.GetDescriptor<BatchNormalizationDescriptor>();
  if (descriptor.axis != axis) return {};
  const float* values[4];
  for (std::size_t index = 0; index < 4; ++index) {
    const GraphTensor& tensor = graph.Input(node, index + 1);
    if (!tensor.IsConstant() || !IsFloat32(tensor.info)) return {};
    values[index] = GetFloats(tensor);
  }
  const auto count = static_cast<std::size_t>(graph.Input(node, 1).info.shape.GetNumElements());
  ChannelAffine affine;
  for (std::size_t channel = 0; channel < count; ++channel) {
    const double variance = static_cast<double>(values[3][channel]);
    const double scale = static_cast<double>(values[0][channel]) /
                         std::sqrt(variance + static_cast<double>(descriptor.epsilon));
    affine.scale.push_back(static_cast<float>(scale));
    affine.shift.push_back(static_cast<float>(static_cast<double>(values[1][channel]) -
                                              static_cast<double>(values[2][channel]) * scale));
  }
  return affine;
}

/// The values of a constant for each channel, when it is the same along all other axes.
std::optional<std::vector<float>> FindPerChannel(const GraphTensor& constant,
                                                 const TensorShape& shape, std::uint32_t axis) {
  if (!constant.IsConstant() || !IsFloat32(constant.info)) return {};
  const auto channels = static_cast<std::size_t>(shape[axis]);
  float uniform = 0.0F;
  if (GetUniformFloat(constant, &uniform)) return std::vector<float>(channels, uniform);
  const TensorShape& own = constant.info.shape;
  const std::uint32_t missing = shape.rank - own.rank;
  if (own.rank > shape.rank || axis < missing || own[axis - missing] != shape[axis] ||
      own.GetNumElements() != shape[axis]) {
    return {};
  }
  return std::vector<float>(GetFloats(constant), GetFloats(constant) + channels);
}

/// f(x, operand) as scale and shift; false when it is something else.
bool FindBinary(const ElementOp& op, float operand, float* scale, float* shift) {
  *scale = 1.0F;
  *shift = 0.0F;
  switch (op.binary) {
    case BinaryOperation::kAdd:
      *shift = operand;
      return true;
    case BinaryOperation::kSub:
      *scale = op.operand_is_first ? -1.0F : 1.0F;
      *shift = op.operand_is_first ? operand : -operand;
      return true;
    case BinaryOperation::kMul:
      *scale = operand;
      return true;
    case BinaryOperation::kDiv:
      *scale = 1.0F / operand;
      return !op.operand_is_first;
    default:
      return false;
  }
}

std::optional<ChannelAffine> FindOp(const Graph& graph, const Node& node, const ElementOp& op,
                                    const TensorShape& shape, std::uint32_t axis) {
  const auto channels = static_cast<std::size_t>(shape[axis]);
  if (op.kind == ElementOp::Kind::kActivation && op.activation == ActivationFunction::kLinear) {
    return ChannelAffine{std::vector<float>(channels, op.alpha),
                         std::vector<float>(channels, op.beta)};
  }
  if (op.kind != ElementOp::Kind::kBinary) return {};
  const auto operands = FindPerChannel(graph.Input(node, 1), shape, axis);
  if (!operands) return {};
  ChannelAffine affine{std::vector<float>(channels), std::vector<float>(channels)};
  for (std::size_t channel = 0; channel < channels; ++channel) {
    if (!FindBinary(op, (*operands)[channel], &affine.scale[channel], &affine.shift[channel])) {
      return {};
    }
  }
  return affine;
}

}  // namespace

bool IsUniform(const std::vector<float>& values, float value) {
  return std::all_of(values.begin(), values.end(), [&](float v) { return v == value; });
}

std::optional<ChannelAffine> FindChannelAffine(const Graph& graph, const Node& node, TensorId input,
                                               std::uint32_t axis) {
  if (node.is_removed || node.inputs[0] != input || !IsFloat32(graph.Output(node).info) ||
      graph.Output(node).info.shape != graph.tensors[input].info.shape) {
    return {};
  }
  std::optional<ChannelAffine> affine;
  if (IsBareLayer(node, LayerType::kBatchNormalization)) {
    affine = FindNormalization(graph, node, axis);
  } else if (const ElementOp* op = FindOnlyOp(node)) {
    affine = FindOp(graph, node, *op, graph.tensors[input].info.shape, axis);
  }
  if (!affine || !IsFinite(affine->scale) || !IsFinite(affine->shift)) return {};
  return affine;
}

}  // namespace cpuacc
}  // namespace backplane
