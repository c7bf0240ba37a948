#include "operators/cast_layer.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "tensors/shape.hpp"
#include "values/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// Inputs of MatMulNBits.
constexpr std::size_t kRows = 0;
constexpr std::size_t kMatrix = 1;
constexpr std::size_t kScales = 2;
constexpr std::size_t kZeroPoints = 3;
constexpr std::size_t kGroups = 4;
constexpr std::size_t kBias = 5;

// A matrix [columns, inner] of whose rows blocks have a scale each.
struct BlockedMatrix {
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t bits = 0;   // of an element
  std::int64_t block = 0;  // elements; the last of a row may be filled up
  std::int64_t GetNumBlocks() const { return (inner + block - 1) / block; }
  std::int64_t GetBlockBytes() const { return block * bits / 8; }
};

// Bounded, so that products of them can be calculated with.
std::int64_t ReadExtent(Node& node, const char* name) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const std::int64_t value = node.GetAttributes().FindInt(name).value_or(0);
  if (value > 0 && value <= kMost) return value;
  node.RefuseAsInvalid(std::string(name) + " is " + std::to_string(value) +
                       "; a number from 1 to 2^30 is expected");
}

void RequireConstant(Node& node, std::size_t index, const char* meaning) {
  if (node.IsConstant(index)) return;
  node.RefuseAsUnsupported(std::string("its ") + meaning +
                           " are not constant; only constant ones are supported");
}

void RequireElements(Node& node, std::size_t index, const char* meaning, std::int64_t expected) {
  const TensorShape& shape = node.GetInputShape(index);
  if (shape.GetNumElements() == expected) return;
  node.RefuseAsInvalid(std::string("its ") + meaning + " have shape " + ToText(shape) + "; " +
                       std::to_string(expected) + " elements are expected");
}

BlockedMatrix ReadMatrix(Node& node) {
  BlockedMatrix matrix;
  matrix.inner = ReadExtent(node, "K");
  matrix.columns = ReadExtent(node, "N");
  matrix.block = ReadExtent(node, "block_size");
  matrix.bits = node.GetAttributes().FindInt("bits").value_or(4);
  node.GetAttributes().Ignore("accuracy_level");  // a hint how exact sums need to be
  if (matrix.bits != 2 && matrix.bits != 4 && matrix.bits != 8) {
    node.GetAttributes().Refuse("bits", std::to_string(matrix.bits), "2, 4 and 8 are supported");
  }
  if (matrix.block < 16 || (matrix.block & (matrix.block - 1)) != 0) {
    node.RefuseAsInvalid("block_size is " + std::to_string(matrix.block) +
                         "; a power of 2 of at least 16 is expected");
  }
  if (node.HasInput(kGroups)) {
    node.RefuseAsUnsupported(
        "it has g_idx, an order of the rows; only blocks of neighbours are "
        "supported");
  }
  RequireConstant(node, kMatrix, "bits");
  RequireConstant(node, kScales, "scales");
  if (node.GetInputInfo(kMatrix).data_type != DataType::kUInt8) {
    node.RefuseAsInvalid(std::string("its bits are ") +
                         GetDataTypeName(node.GetInputInfo(kMatrix).data_type) +
                         "; uint8 is expected");
  }
  const std::int64_t num_blocks = matrix.columns * matrix.GetNumBlocks();
  RequireElements(node, kMatrix, "bits", num_blocks * matrix.GetBlockBytes());
  RequireElements(node, kScales, "scales", num_blocks);
  return matrix;
}

// Element `index` of those that lie one after the other, the first in the lowest bits.
std::int32_t TakeBits(const unsigned char* bytes, std::int64_t index, std::int64_t bits) {
  const std::int64_t bit = index * bits;
  return (bytes[bit / 8] >> (bit % 8)) & ((1 << bits) - 1);
}

// One for each block: stated in as many bits as elements have, each row filled up to bytes, or the
// middle.
std::vector<std::int32_t> ReadZeroPoints(Node& node, const BlockedMatrix& matrix) {
  const std::int64_t blocks = matrix.GetNumBlocks();
  const std::int64_t middle = std::int64_t{1} << (matrix.bits - 1);
  std::vector<std::int32_t> zero_points(static_cast<std::size_t>(matrix.columns * blocks),
                                        static_cast<std::int32_t>(middle));
  if (!node.HasInput(kZeroPoints)) return zero_points;
  RequireConstant(node, kZeroPoints, "zero points");
  if (node.GetInputInfo(kZeroPoints).data_type != DataType::kUInt8) {
    node.RefuseAsUnsupported(
        "its zero points are " +
        std::string(GetDataTypeName(node.GetInputInfo(kZeroPoints).data_type)) +
        "; only uint8 is supported");
  }
  const std::int64_t row_bytes = (blocks * matrix.bits + 7) / 8;
  RequireElements(node, kZeroPoints, "zero points", matrix.columns * row_bytes);
  const auto* bytes = static_cast<const unsigned char*>(node.GetValue(kZeroPoints).data.get());
  for (std::int64_t column = 0; column < matrix.columns; ++column) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      zero_points[static_cast<std::size_t>(column * blocks + block)] =
          TakeBits(bytes + column * row_bytes, block, matrix.bits);
    }
  }
  return zero_points;
}

// Scales of a tensor are above 0: of a block with one below, the elements are turned around, and
// one that is 0 makes all elements their zero point.
struct Block {
  float scale;
  std::int32_t zero_point;
  bool is_turned;
  bool is_zero;
};

Block MakeBlock(Node& node, double scale, std::int32_t zero_point, std::int64_t bits) {
  if (!std::isfinite(scale)) {
    node.RefuseAsInvalid("one of its scales is " + std::to_string(scale) +
                         "; a number is expected");
  }
  const std::int32_t most = (1 << bits) - 1;
  Block block = {static_cast<float>(std::fabs(scale)), zero_point, scale < 0.0, false};
  if (block.is_turned) block.zero_point = most - zero_point;
  block.is_zero = !(block.scale > 0.0F);
  if (block.is_zero) block.scale = 1.0F;
  return block;
}

// So many elements of a block, a byte for each, less `offset`.
void AppendElements(const unsigned char* from, std::int64_t count, std::int64_t bits,
                    const Block& block, std::int32_t offset, std::vector<unsigned char>& bytes) {
  if (block.is_zero) {
    const auto zero_point = static_cast<unsigned char>(block.zero_point - offset);
    bytes.insert(bytes.end(), static_cast<std::size_t>(count), zero_point);
    return;
  }
  const auto begin = bytes.size();
  bytes.resize(begin + static_cast<std::size_t>(count));
  unsigned char* const to = bytes.data() + begin;
  const auto most = static_cast<unsigned char>((1 << bits) - 1);
  const unsigned char turned = block.is_turned ? most : 0;  // most - x is most ^ x
  for (std::int64_t i = 0; i < count; ++from) {
    for (std::int64_t bit = 0; bit < 8 && i < count; bit += bits) {
      to[i++] = static_cast<unsigned char>(((*from >> bit & most) ^ turned) - offset);
    }
  }
}

// The matrix as a tensor of bytes [columns * parts, part] with a scale for each part: blocks, or,
// where these do not fill up a row, parts of blocks. A byte has room for elements of less bits
// without their zero points, which then take no memory.
OutputSlot AddBytes(Node& node, const BlockedMatrix& matrix) {
  const std::int64_t part = std::gcd(matrix.inner, matrix.block);
  const std::int64_t num_parts = matrix.columns * (matrix.inner / part);
  if (!node.TakeMemory(
          static_cast<std::uint64_t>(matrix.columns * matrix.inner + num_parts * kBytesOfScale))) {
    node.RefuseAsUnsupported("its matrix takes more memory than imports may");
  }
  const bool has_zero_points = matrix.bits == 8;
  const std::vector<double> scales = ReadElements<double>(node.GetValue(kScales));
  const std::vector<std::int32_t> zero_points = ReadZeroPoints(node, matrix);
  const auto* from = static_cast<const unsigned char*>(node.GetValue(kMatrix).data.get());
  TensorInfo info({num_parts, part}, has_zero_points ? DataType::kUInt8 : DataType::kInt8);
  QuantizationInfo& quantization = info.quantization;
  quantization.axis = 0;
  quantization.scales.reserve(static_cast<std::size_t>(num_parts));
  if (has_zero_points) quantization.zero_points.reserve(static_cast<std::size_t>(num_parts));
  const auto bytes = std::make_shared<std::vector<unsigned char>>();
  bytes->reserve(static_cast<std::size_t>(matrix.columns * matrix.inner));
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const Block block = MakeBlock(node, scales[i], zero_points[i], matrix.bits);
    const std::int64_t begin = static_cast<std::int64_t>(i) % matrix.GetNumBlocks() * matrix.block;
    const std::int64_t count = std::min(matrix.block, matrix.inner - begin);
    const auto num_of_block = static_cast<std::size_t>(count / part);
    quantization.scales.insert(quantization.scales.end(), num_of_block, block.scale);
    if (has_zero_points) {
      quantization.zero_points.insert(quantization.zero_points.end(), num_of_block,
                                      block.zero_point);
    }
    AppendElements(from, count, matrix.bits, block, has_zero_points ? 0 : block.zero_point, *bytes);
    from += matrix.GetBlockBytes();
  }
  return node.AddConstant(info, {bytes, bytes->data()}, "/matrix");
}

}  // namespace

// Rows of float16 are multiplied in float32, which has all that they and the matrix stand for.
void ConvertMicrosoftMatMulNBits(Node& node) {
  const BlockedMatrix matrix = ReadMatrix(node);
  const OutputSlot reals =
      node.AddReshape(node.AddLayer<LayerType::kDequantize>({}, {AddBytes(node, matrix)}, "/reals"),
                      {matrix.columns, matrix.inner}, "/matrix/shape");
  const OutputSlot rows = node.GetInput(kRows);
  const DataType type = node.GetInfo(rows).data_type;
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = 1;
  const bool is_last = type == DataType::kFloat32 && !node.HasInput(kBias);
  OutputSlot result = node.AddLayer<LayerType::kBatchMatMul>(
      descriptor, {AddCast(node, rows, DataType::kFloat32, "/rows"), reals},
      is_last ? "" : "/product");
  if (node.HasInput(kBias)) {
    const OutputSlot bias = AddCast(node, node.GetInput(kBias), DataType::kFloat32, "/bias");
    result = AddBinary(node, BinaryOperation::kAdd, result, bias,
                       type == DataType::kFloat32 ? "" : "/sum");
  }
  node.SetOutput(AddCast(node, result, type, ""));
}

}  // namespace backplane::onnx
