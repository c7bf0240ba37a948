#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"
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
  std::int64_t bits = 0;     // of an element
  std::int64_t block = 0;    // elements; the last of a row may be filled up
  bool rounds_rows = false;  // rows may be multiplied as int8
  std::int64_t GetNumBlocks() const { return (inner + block - 1) / block; }
  std::int64_t GetBlockBytes() const { return block * bits / 8; }
};

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
  matrix.inner = ReadStatedCount(node, "K");
  matrix.columns = ReadStatedCount(node, "N");
  matrix.block = ReadStatedCount(node, "block_size");
  matrix.bits = node.GetAttributes().FindInt("bits").value_or(4);
  constexpr std::int64_t kInt8 = 4;  // other levels are floats
  matrix.rounds_rows = node.GetAttributes().FindInt("accuracy_level").value_or(0) == kInt8;
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

// Stated in as many bits as elements have, each row filled up to bytes.
std::vector<double> ReadPackedZeroPoints(Node& node, const BlockedMatrix& matrix) {
  const std::int64_t blocks = matrix.GetNumBlocks();
  const std::int64_t row_bytes = (blocks * matrix.bits + 7) / 8;
  RequireElements(node, kZeroPoints, "zero points", matrix.columns * row_bytes);
  const auto* bytes = static_cast<const unsigned char*>(node.GetValue(kZeroPoints).data.get());
  std::vector<double> zero_points;
  zero_points.reserve(static_cast<std::size_t>(matrix.columns * blocks));
  for (std::int64_t column = 0; column < matrix.columns; ++column, bytes += row_bytes) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      zero_points.push_back(TakeBits(bytes, block, matrix.bits));
    }
  }
  return zero_points;
}

// One for each block: stated, as bits or as numbers, or the middle.
std::vector<double> ReadZeroPoints(Node& node, const BlockedMatrix& matrix) {
  const std::int64_t num_blocks = matrix.columns * matrix.GetNumBlocks();
  const std::int64_t middle = std::int64_t{1} << (matrix.bits - 1);
  if (!node.HasInput(kZeroPoints)) {
    return std::vector<double>(static_cast<std::size_t>(num_blocks), static_cast<double>(middle));
  }
  RequireConstant(node, kZeroPoints, "zero points");
  const DataType type = node.GetInputInfo(kZeroPoints).data_type;
  if (type == DataType::kUInt8) return ReadPackedZeroPoints(node, matrix);
  if (!IsFloat(type)) {
    node.RefuseAsUnsupported(std::string("its zero points are ") + GetDataTypeName(type) +
                             "; uint8 and floats are supported");
  }
  RequireElements(node, kZeroPoints, "zero points", num_blocks);
  return ReadElements<double>(node.GetValue(kZeroPoints));
}

// How elements and zero points become bytes.
enum class Storage {
  kBytes,        // as they are
  kDifferences,  // elements less their zero points, for which a byte has room
  kOffsets,      // elements; zero points are numbers, and taken off when they are multiplied
};

Storage ChooseStorage(const BlockedMatrix& matrix, const std::vector<double>& zero_points) {
  const double most = static_cast<double>((std::int64_t{1} << matrix.bits) - 1);
  const bool are_elements =
      std::all_of(zero_points.begin(), zero_points.end(), [&](double zero_point) {
        return zero_point >= 0 && zero_point <= most && zero_point == std::floor(zero_point);
      });
  if (!are_elements) return Storage::kOffsets;
  return matrix.bits == 8 ? Storage::kBytes : Storage::kDifferences;
}

// Scales of a tensor are above 0: of a block with one below, the elements are turned around, and
// one that is 0 makes all elements their zero point.
struct Block {
  float scale = 1.0F;
  std::int32_t zero_point = 0;  // of the bytes
  std::int32_t less = 0;        // than elements are bytes
  float offset = 0.0F;          // how much too great the reals are
  bool is_turned = false;
  bool is_zero = false;
};

Block MakeBlock(Node& node, double scale, double zero_point, std::int64_t bits, Storage storage) {
  for (const double number : {scale, zero_point}) {
    if (std::isfinite(number)) continue;
    node.RefuseAsInvalid("one of its scales or zero points is " + std::to_string(number) +
                         "; a number is expected");
  }
  Block block;
  const auto size = static_cast<float>(std::fabs(scale));
  block.is_turned = scale < 0.0;
  block.is_zero = size == 0.0F;
  if (!block.is_zero) block.scale = size;
  const double most = static_cast<double>((1 << bits) - 1);
  const double turned = block.is_turned ? most - zero_point : zero_point;
  if (storage == Storage::kOffsets) {
    block.offset = block.is_zero ? 0.0F : static_cast<float>(block.scale * turned);
  } else if (storage == Storage::kBytes) {
    block.zero_point = static_cast<std::int32_t>(turned);
  } else {
    block.less = static_cast<std::int32_t>(turned);
  }
  return block;
}

// So many elements of a block, a byte for each. With a number of bits that it knows, the compiler
// takes many at once.
template <int kBits>
void TakeElements(const unsigned char* from, std::int64_t count, const Block& block,
                  unsigned char* to) {
  constexpr int kOfByte = 8 / kBits;
  constexpr auto kMost = static_cast<unsigned char>((1 << kBits) - 1);
  const unsigned char turned = block.is_turned ? kMost : 0;  // kMost - x is kMost ^ x
  const auto less = static_cast<unsigned char>(block.less);
  const auto take = [&](std::int64_t index, int part) {
    return static_cast<unsigned char>(((from[index] >> (part * kBits) & kMost) ^ turned) - less);
  };
  const std::int64_t num_whole = count / kOfByte;
  for (std::int64_t i = 0; i < num_whole; ++i) {
    for (int part = 0; part < kOfByte; ++part) to[i * kOfByte + part] = take(i, part);
  }
  for (int part = 0; part < count % kOfByte; ++part) {
    to[num_whole * kOfByte + part] = take(num_whole, part);
  }
}

void TakeElements(const unsigned char* from, std::int64_t count, std::int64_t bits,
                  const Block& block, unsigned char* to) {
  if (block.is_zero) {
    std::fill_n(to, count, static_cast<unsigned char>(block.zero_point));
  } else if (bits == 2) {
    TakeElements<2>(from, count, block, to);
  } else if (bits == 4) {
    TakeElements<4>(from, count, block, to);
  } else {
    TakeElements<8>(from, count, block, to);
  }
}

// The matrix as a tensor of bytes [columns * parts, part] with a scale for each part: blocks, or,
// where these do not fill up a row, parts of blocks.
struct StoredMatrix {
  TensorInfo info;
  std::shared_ptr<std::vector<unsigned char>> bytes;
  std::vector<float> offsets;  // of each part; empty where no reals are too great
};

StoredMatrix StoreMatrix(Node& node, const BlockedMatrix& matrix) {
  const std::int64_t part = std::gcd(matrix.inner, matrix.block);
  const std::int64_t num_parts = matrix.columns * (matrix.inner / part);
  if (!node.TakeMemory(
          static_cast<std::uint64_t>(matrix.columns * matrix.inner + num_parts * kBytesOfScale))) {
    node.RefuseAsUnsupported("its matrix takes more memory than imports may");
  }
  const std::vector<double> scales = ReadElements<double>(node.GetValue(kScales));
  const std::vector<double> zero_points = ReadZeroPoints(node, matrix);
  const Storage storage = ChooseStorage(matrix, zero_points);
  const auto* from = static_cast<const unsigned char*>(node.GetValue(kMatrix).data.get());
  StoredMatrix stored;
  stored.info =
      TensorInfo({num_parts, part}, matrix.bits == 8 ? DataType::kUInt8 : DataType::kInt8);
  QuantizationInfo& quantization = stored.info.quantization;
  quantization.axis = 0;
  std::vector<float> part_scales;
  std::vector<std::int32_t> part_zero_points;
  part_scales.reserve(static_cast<std::size_t>(num_parts));
  stored.bytes = std::make_shared<std::vector<unsigned char>>(
      static_cast<std::size_t>(matrix.columns * matrix.inner));
  unsigned char* to = stored.bytes->data();
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const Block block = MakeBlock(node, scales[i], zero_points[i], matrix.bits, storage);
    const std::int64_t begin = static_cast<std::int64_t>(i) % matrix.GetNumBlocks() * matrix.block;
    const std::int64_t count = std::min(matrix.block, matrix.inner - begin);
    const auto append = [&](auto& numbers, auto number) {
      numbers.insert(numbers.end(), static_cast<std::size_t>(count / part), number);
    };
    append(part_scales, block.scale);
    if (storage == Storage::kBytes) append(part_zero_points, block.zero_point);
    if (storage == Storage::kOffsets) append(stored.offsets, block.offset);
    TakeElements(from, count, matrix.bits, block, to);
    from += matrix.GetBlockBytes();
    to += count;
  }
  quantization.scales = std::move(part_scales);
  quantization.zero_points = std::move(part_zero_points);
  return stored;
}

OutputSlot AddReals(Node& node, const BlockedMatrix& matrix) {
  const auto stored = node.ConvertOnce<StoredMatrix>({kMatrix, kScales, kZeroPoints},
                                                     [&] { return StoreMatrix(node, matrix); });
  const OutputSlot bytes =
      node.AddConstant(stored->info, {stored->bytes, stored->bytes->data()}, "/matrix");
  OutputSlot reals = node.AddLayer<LayerType::kDequantize>({}, {bytes}, "/reals");
  if (!stored->offsets.empty()) {
    const TensorInfo offsets({stored->info.shape[0], 1}, DataType::kFloat32);
    reals = AddBinary(node, BinaryOperation::kSub, reals,
                      node.AddConstant(offsets, stored->offsets.data(), "/offsets"), "/difference");
  }
  return node.AddReshape(reals, {matrix.columns, matrix.inner}, "/matrix/shape");
}

}  // namespace

// Rows of float16 are multiplied in float32, which has all that they and the matrix stand for.
void ConvertMicrosoftMatMulNBits(Node& node) {
  const BlockedMatrix matrix = ReadMatrix(node);
  const OutputSlot reals = AddReals(node, matrix);
  const OutputSlot rows = node.GetInput(kRows);
  const DataType type = node.GetInfo(rows).data_type;
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = 1;
  if (matrix.rounds_rows) descriptor.rounded_block = static_cast<std::uint32_t>(matrix.block);
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
