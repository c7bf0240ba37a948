#include "operators/blocked_constant.hpp"

#include "operators/movement_layers.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
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

// The elements, with the axis of the blocks behind all others.
std::shared_ptr<const void> MoveBlocks(const unsigned char* from, const Blocks& blocks) {
  const std::int64_t extent = blocks.num_blocks * blocks.block;
  const auto moved = std::make_shared<std::vector<unsigned char>>();
  moved->reserve(static_cast<std::size_t>(blocks.outer * blocks.inner * extent));
  for (std::int64_t outer = 0; outer < blocks.outer; ++outer, from += extent * blocks.inner) {
    for (std::int64_t inner = 0; inner < blocks.inner; ++inner) {
      for (std::int64_t i = 0; i < extent; ++i) {
        moved->push_back(from[i * blocks.inner + inner]);
      }
    }
  }
  return {moved, moved->data()};
}

// The same of what there is of blocks.
template <typename To, typename From>
std::vector<To> MoveOfBlocks(const std::vector<From>& from, const Blocks& blocks) {
  std::vector<To> moved;
  moved.reserve(from.size());
  for (std::int64_t outer = 0; outer < blocks.outer; ++outer) {
    for (std::int64_t inner = 0; inner < blocks.inner; ++inner) {
      for (std::int64_t i = 0; i < blocks.num_blocks; ++i) {
        const std::int64_t index = (outer * blocks.num_blocks + i) * blocks.inner + inner;
        moved.push_back(static_cast<To>(from[static_cast<std::size_t>(index)]));
      }
    }
  }
  return moved;
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
  info.quantization.scales =
      MoveOfBlocks<float>(ReadElements<double>(node.GetValue(inputs.scale)), *blocks);
  for (const float scale : info.quantization.scales) {
    if (!std::isfinite(scale) || scale <= 0.0F) return {};
  }
  if (node.HasInput(inputs.zero_point)) {
    info.quantization.zero_points = MoveOfBlocks<std::int32_t>(
        ReadElements<std::int64_t>(node.GetValue(inputs.zero_point)), *blocks);
  }
  if (!node.TakeMemory(info.GetSizeBytes() +
                       static_cast<std::uint64_t>(num_scales * kBytesOfScale))) {
    return {};
  }
  const auto* bytes = static_cast<const unsigned char*>(node.GetValue(0).data.get());
  return MoveBack(node, AddReals(node, info, MoveBlocks(bytes, *blocks), type, "/reals"),
                  inputs.axis);
}

}  // namespace

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
  const auto* from = static_cast<const unsigned char*>(node.GetValue(0).data.get());
  const Blocks all = {1, 1, info.shape.GetNumElements(), 1};
  return AddReals(node, bytes, MoveBlocks(from, all), type, "");
}

}  // namespace backplane::onnx
