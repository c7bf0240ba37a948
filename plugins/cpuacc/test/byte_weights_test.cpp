// Products of rows of floats with matrices that are stored as bytes.

#include "simd/simd.hpp"
#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/transpose.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

/// How a matrix [inner, columns] is stored.
struct Storage {
  std::string name;
  DataType type = DataType::kUInt8;
  std::int32_t most = 255;    // of the bytes
  std::int64_t block = 0;     // 0: one scale for all; the inner extent: one for each column
  bool is_transposed = true;  // [columns * blocks, block] of which a Reshape makes a matrix
  std::int32_t first = 0;     // the least byte of the first block, of others up to 2 greater
};

StoredTensor MakeMatrix(const Storage& storage, std::int64_t inner, std::int64_t columns,
                        Random& random) {
  const std::int64_t block = storage.block == 0 ? inner : storage.block;
  TensorInfo info(storage.is_transposed ? TensorShape{columns * (inner / block), block}
                                        : TensorShape{inner, columns},
                  storage.type);
  const std::int64_t num_scales = storage.block == 0 ? 1 : columns * (inner / block);
  const std::int32_t least = storage.type == DataType::kInt8 ? -128 : 0;
  info.quantization.axis = storage.is_transposed ? 0 : 1;
  for (std::int64_t i = 0; i < num_scales; ++i) {
    info.quantization.scales.push_back(0.01F * static_cast<float>(1 + i % 7));
    info.quantization.zero_points.push_back(static_cast<std::int32_t>(i * 5 % (storage.most + 1)) +
                                            least);
  }
  if (storage.first != 0) info.quantization.zero_points.clear();
  StoredTensor matrix = MakeRandomTensor(info, random);
  for (std::size_t i = 0; i < matrix.bytes.size(); ++i) {
    const auto index_of_block = static_cast<std::int32_t>(i) / static_cast<std::int32_t>(block);
    const std::int32_t first = storage.first != 0 ? storage.first + index_of_block % 3 : 0;
    matrix.bytes[i] = static_cast<unsigned char>(matrix.bytes[i] % (storage.most + 1) + first);
  }
  return matrix;
}

/// With a bias where it is FullyConnected.
void AddProduct(NetworkCase& network, const Storage& storage, const TensorShape& rows,
                std::int64_t columns, bool is_fully_connected, std::int64_t rounded_block = 0) {
  const std::int64_t inner = rows[rows.rank - 1];
  const StoredTensor matrix = MakeMatrix(storage, inner, columns, network.GetRandom());
  TensorId reals = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                               {network.AddConstant(matrix)}, matrix.info.shape);
  if (storage.is_transposed) reals = AddReshape(network, reals, {columns, inner});
  const TensorId input = network.AddInput(rows);
  TensorShape output = rows;
  output[output.rank - 1] = columns;
  if (is_fully_connected) {
    FullyConnectedDescriptor descriptor;
    descriptor.transpose_weights = storage.is_transposed ? 1 : 0;
    network.AddOutput(network.Add(LayerType::kFullyConnected, descriptor,
                                  {input, reals, network.AddConstant({columns})}, output));
  } else {
    BatchMatMulDescriptor descriptor;
    descriptor.transpose_b = storage.is_transposed ? 1 : 0;
    descriptor.rounded_block = static_cast<std::uint32_t>(rounded_block);
    network.AddOutput(network.Add(LayerType::kBatchMatMul, descriptor, {input, reals}, output));
  }
}

const Storage kStorages[] = {
    {"halves with a scale for 32", DataType::kUInt8, 15, 32},
    {"halves with a scale for 3", DataType::kUInt8, 15, 3},
    {"halves on both sides of 0", DataType::kInt8, 15, 32, true, -9},
    {"halves of great bytes", DataType::kUInt8, 15, 16, true, 230},
    {"bytes that are no halves", DataType::kInt8, 16, 32, true, -9},
    {"bytes with a scale for 16", DataType::kUInt8, 255, 16},
    {"bytes of columns", DataType::kInt8, 255, 288},
    {"bytes of columns as they lie", DataType::kInt8, 255, 288, false},
    {"halves of columns as they lie", DataType::kUInt8, 15, 288, false},
    {"bytes with one scale", DataType::kUInt8, 255, 0, false},
    {"bytes with one scale, transposed", DataType::kInt8, 255, 0},
};

bool ReadsBytes(const NetworkCase& network) {
  return ListNodes(network).front().rfind("ByteWeights", 0) == 0;
}

TEST(ByteWeights, AreReadByFewRowsAndByMany) {
  const TensorShape kRows[] = {{1, 288}, {2, 288}, {1, 3, 288}, {2, 2, 288},
                               {5, 288}, {6, 288}, {7, 288},    {3, 11, 288}};
  for (const Storage& storage : kStorages) {
    for (const TensorShape& rows : kRows) {
      for (const bool is_fully_connected : {false, true}) {
        if (is_fully_connected && rows.rank != 2) continue;
        SCOPED_TRACE(storage.name + ", rank " + std::to_string(rows.rank) + ", " +
                     std::to_string(rows[0]));
        NetworkCase network;
        AddProduct(network, storage, rows, 250, is_fully_connected);
        EXPECT_TRUE(ReadsBytes(network));
        ExpectAsCpuRef(network);
      }
    }
  }
}

/// The numbers that rows stand for when each block is rounded by its greatest element.
StoredTensor RoundRows(const StoredTensor& rows, std::int64_t block) {
  std::vector<float> rounded;
  const std::vector<long double> reals = Decode<long double>(rows).data;
  for (std::size_t first = 0; first < reals.size(); first += static_cast<std::size_t>(block)) {
    long double greatest = 0.0L;
    for (std::int64_t i = 0; i < block; ++i) {
      greatest = std::max(greatest, std::fabs(reals[first + static_cast<std::size_t>(i)]));
    }
    for (std::int64_t i = 0; i < block; ++i) {
      const long double real = reals[first + static_cast<std::size_t>(i)];
      rounded.push_back(
          static_cast<float>(std::nearbyint(real * 127.0L / greatest) * greatest / 127.0L));
    }
  }
  return MakeStored(rows.info, rounded);
}

/// Whether this processor has a function for rounded rows.
bool CanRound(const Storage& storage) {
  const cpuacc::ProductFunctions& functions = cpuacc::GetSimdFunctions().products;
  return (storage.most == 15 ? functions.multiply_rounded_halves
                             : functions.multiply_rounded_bytes) != nullptr;
}

TEST(ByteWeights, AreMultipliedByRoundedRowsWhereTheLayerAllowsIt) {
  for (const Storage& storage : kStorages) {
    if (storage.block % 8 != 0 || storage.block == 0 || !storage.is_transposed) continue;
    for (const std::int64_t num_rows : {1, 2, 5, 6, 7, 13}) {
      SCOPED_TRACE(storage.name + ", " + std::to_string(num_rows));
      NetworkCase network;
      AddProduct(network, storage, {num_rows, 288}, 250, false, storage.block);
      const Graph& graph = network.GetGraph();
      const std::vector<StoredTensor> inputs = MakeInputs(graph, network.GetRandom());
      const std::vector<StoredTensor> exact = RunOnCpuRef(graph, inputs);
      const std::vector<StoredTensor> rounded =
          RunOnCpuRef(graph, {RoundRows(inputs[0], storage.block)});
      cpuacc::Options options;
      for (options.num_threads = 1; options.num_threads <= 2; ++options.num_threads) {
        options.rounding = true;
        ExpectSame(RunCompiled(graph, inputs, options), CanRound(storage) ? rounded : exact,
                   Precision::kFast);
        options.rounding = false;
        ExpectSame(RunCompiled(graph, inputs, options), exact, Precision::kFast);
      }
    }
  }
}

/// Where the blocks of the scales are other ones, as in a last block that is not full.
TEST(ByteWeights, AreMultipliedByExactRowsInOtherBlocks) {
  NetworkCase network;
  AddProduct(network, kStorages[0], {2, 288}, 250, false, 64);
  ExpectAsCpuRef(network);
}

TEST(ByteWeights, AreRealsInSmallMatrices) {
  NetworkCase network;
  AddProduct(network, kStorages[0], {1, 288}, 100, false);
  EXPECT_FALSE(ReadsBytes(network));
  ExpectAsCpuRef(network);
}

/// A square matrix whose columns one product multiplies, and another its rows.
TEST(ByteWeights, AreReadBothWaysOfOneMatrix) {
  NetworkCase network;
  TensorInfo info({260, 260}, DataType::kUInt8);
  info.quantization.scales = {0.02F};
  info.quantization.zero_points = {7};
  const TensorId bytes = network.AddConstant(MakeRandomTensor(info, network.GetRandom()));
  const TensorId reals =
      network.Add(LayerType::kDequantize, DequantizeDescriptor(), {bytes}, info.shape);
  const TensorId rows = network.AddInput({1, 260});
  for (const std::uint32_t transposed : {0U, 1U}) {
    BatchMatMulDescriptor descriptor;
    descriptor.transpose_b = transposed;
    network.AddOutput(network.Add(LayerType::kBatchMatMul, descriptor, {rows, reals}, {1, 260}));
  }
  EXPECT_EQ(ListNodes(network), (std::vector<std::string>{"ByteWeights", "ByteWeights"}));
  ExpectAsCpuRef(network);
}

/// As blocks along the first axis of a matrix are written.
TEST(ByteWeights, AreReadThroughATranspose) {
  for (const bool is_fully_connected : {false, true}) {
    NetworkCase network;
    const StoredTensor matrix = MakeMatrix(kStorages[0], 288, 250, network.GetRandom());
    const TensorId blocks = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                        {network.AddConstant(matrix)}, matrix.info.shape);
    TransposeDescriptor transpose;
    transpose.permutation[0] = 1;
    transpose.permutation[1] = 0;
    const TensorId reals = network.Add(LayerType::kTranspose, transpose,
                                       {AddReshape(network, blocks, {250, 288})}, {288, 250});
    const TensorId rows = network.AddInput({1, 288});
    network.AddOutput(is_fully_connected
                          ? network.Add(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                                        {rows, reals}, {1, 250})
                          : network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                        {rows, reals}, {1, 250}));
    EXPECT_TRUE(ReadsBytes(network));
    ExpectAsCpuRef(network);
  }
}

/// Scales along the inner axis are of no column.
TEST(ByteWeights, AreRealsWhereScalesLieOtherwise) {
  NetworkCase network;
  TensorInfo info({288, 250}, DataType::kUInt8);
  info.quantization.axis = 0;
  info.quantization.scales.assign(288, 0.02F);
  info.quantization.zero_points.assign(288, 7);
  const TensorId reals =
      network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                  {network.AddConstant(MakeRandomTensor(info, network.GetRandom()))}, {288, 250});
  network.AddOutput(network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                {network.AddInput({1, 288}), reals}, {1, 250}));
  EXPECT_FALSE(ReadsBytes(network));
  ExpectAsCpuRef(network);
}

/// Every instruction set of this processor that has functions for rounded rows.
template <typename Function>
void ForEachInstructionSet(Function function) {
  for (const auto isa : {cpuacc::InstructionSet::kBaseline, cpuacc::InstructionSet::kAvx2,
                         cpuacc::InstructionSet::kAvx512}) {
    const cpuacc::SimdFunctions* const functions = cpuacc::FindSimdFunctions(isa);
    if (functions != nullptr) function(functions->products);
  }
}

TEST(RoundedRows, HaveAScaleForEachBlock) {
  const float kHuge = std::numeric_limits<float>::max();
  const float kTiny = std::numeric_limits<float>::min();
  const std::vector<float> a = {0.5F,  -2.0F,    127.0F, 1.5F, 0.0F,  -0.0F, 0.0F, 0.0F,
                                kHuge, -kHuge,   0.0F,   1.0F, kTiny, 0.0F,  0.0F, 0.0F,
                                1.0F,  INFINITY, 1.0F,   1.0F, 1.0F,  1.0F,  NAN,  -INFINITY};
  const std::vector<std::int8_t> kRounded = {0, -2, 127, 2, 0, 0, 0, 0, 127, -127, 0, 0,
                                             0, 0,  0,   0, 0, 0, 0, 0, 0,   0,    0, 0};
  cpuacc::ByteWeights product;
  product.block = 4;
  product.a = a.data();
  ForEachInstructionSet([&](const cpuacc::ProductFunctions& functions) {
    std::vector<std::int8_t> rounded(a.size());
    std::vector<float> scales(6);
    std::vector<float> sums(6);
    cpuacc::RoundedRows rows{rounded.data(), scales.data(), sums.data()};
    functions.round_rows(product, 0, 6, rows);
    EXPECT_EQ(rounded, kRounded);
    EXPECT_EQ(sums, (std::vector<float>{127.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
    EXPECT_EQ(scales[0], 1.0F);
    EXPECT_EQ(scales[1], 0.0F);
    EXPECT_EQ(scales[2], kHuge / 127.0F);
    EXPECT_TRUE(std::isnan(scales[4]) && std::isnan(scales[5]));
  });
}

TEST(RoundedRows, AreMultipliedAlikeOnAllInstructionSets) {
  constexpr std::int64_t kInner = 48;
  constexpr std::int64_t kColumns = 37;
  constexpr std::int64_t kPanels = 3;
  constexpr std::int64_t kBlocks = 2;
  for (const bool are_halves : {false, true}) {
    const int kInByte = are_halves ? 2 : 1;
    std::vector<std::uint8_t> bytes;
    for (int i = 0; i < kPanels * kInner * cpuacc::kPanelColumns / kInByte; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(i * 37));
    }
    const auto get = [&](std::int64_t inner, std::int64_t column) {
      const std::int64_t group = column / cpuacc::kPanelColumns * kInner / 4 + inner / 4;
      const std::int64_t at =
          (group / kInByte * cpuacc::kPanelColumns + column % cpuacc::kPanelColumns) * 4 +
          inner % 4;
      const int byte = bytes[static_cast<std::size_t>(at)];
      return are_halves ? (group % 2 == 0 ? byte & 15 : byte >> 4) : byte;
    };
    for (const std::int64_t num_rows : {1, 2, 3, 4, 5, 6, 9}) {
      std::vector<std::int8_t> a;
      std::vector<float> row_scales;
      std::vector<float> sums(static_cast<std::size_t>(num_rows * kBlocks), 0.0F);
      for (std::int64_t i = 0; i < num_rows * kInner; ++i) {
        a.push_back(static_cast<std::int8_t>(i % 5 == 0 ? 127 : i % 5 == 1 ? -127 : i * 7 % 91));
        sums[static_cast<std::size_t>(i / (kInner / kBlocks))] += a.back();
      }
      for (std::int64_t i = 0; i < num_rows * kBlocks; ++i) {
        row_scales.push_back(0.25F * static_cast<float>(i % 3 + 1));
      }
      std::vector<float> scales;
      for (std::int64_t i = 0; i < kPanels * kBlocks * cpuacc::kPanelColumns; ++i) {
        scales.push_back(0.0625F * static_cast<float>(i % 5 + 1));
      }
      const std::vector<float> zero_points(cpuacc::kPanelColumns, 8.0F);
      cpuacc::ByteWeights product;
      product.rows = num_rows;
      product.inner = kInner;
      product.columns = kColumns;
      product.block = kInner / kBlocks;
      product.result_row_step = kColumns;
      product.are_halves = are_halves;
      product.b = bytes.data();
      product.scales = scales.data();
      product.zero_points = zero_points.data();
      product.zero_point_step = 0;
      const cpuacc::RoundedRows rows{a.data(), row_scales.data(), sums.data()};
      ForEachInstructionSet([&](const cpuacc::ProductFunctions& functions) {
        const auto multiply =
            are_halves ? functions.multiply_rounded_halves : functions.multiply_rounded_bytes;
        if (multiply == nullptr) return;
        std::vector<float> found(static_cast<std::size_t>(num_rows * kColumns + 1), -1.0F);
        product.result = found.data();
        multiply(product, rows, 0, kPanels);
        for (std::int64_t i = 0; i < num_rows * kColumns; ++i) {
          const std::int64_t row = i / kColumns;
          const std::int64_t column = i % kColumns;
          double sum = 0.0;
          for (std::int64_t k = 0; k < kInner; ++k) {
            const std::int64_t block = k / product.block;
            const std::int64_t scale =
                (column / cpuacc::kPanelColumns * kBlocks + block) * cpuacc::kPanelColumns +
                column % cpuacc::kPanelColumns;
            sum += (get(k, column) - 8.0) * a[static_cast<std::size_t>(row * kInner + k)] *
                   static_cast<double>(scales[static_cast<std::size_t>(scale)]) *
                   static_cast<double>(row_scales[static_cast<std::size_t>(row * kBlocks + block)]);
          }
          ASSERT_NEAR(found[static_cast<std::size_t>(i)], sum, 1e-4 * std::fabs(sum) + 1e-2)
              << row << ", " << column;
        }
        EXPECT_EQ(found.back(), -1.0F);
      });
    }
  }
}

TEST(ByteWeights, AreMultipliedAlikeOnAllInstructionSets) {
  constexpr std::int64_t kInner = 90;
  constexpr std::int64_t kColumns = 37;
  constexpr std::int64_t kPanels = 3;
  for (const bool are_halves : {false, true}) {
    for (std::int64_t rows = 1; rows <= cpuacc::kMostByteWeightRows; ++rows) {
      cpuacc::ByteWeights product;
      product.rows = rows;
      product.inner = kInner;
      product.columns = kColumns;
      product.block = 30;
      product.a_row_step = kInner;
      product.result_row_step = kColumns;
      product.are_halves = are_halves;
      std::vector<float> a;
      std::vector<float> sums(static_cast<std::size_t>(rows * 3), 0.0F);
      for (std::int64_t i = 0; i < rows * kInner; ++i) {
        a.push_back(0.125F * static_cast<float>(i * 7 % 17 - 8));
        sums[static_cast<std::size_t>(i / 30)] += a.back();
      }
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(
          kPanels * kInner * cpuacc::kPanelColumns / (are_halves ? 2 : 1)));
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
      std::vector<float> scales;
      std::vector<float> zero_points;
      for (std::int64_t i = 0; i < kPanels * 3 * cpuacc::kPanelColumns; ++i) {
        scales.push_back(0.0625F * static_cast<float>(i % 5 + 1));
        zero_points.push_back(static_cast<float>(i % 11));
      }
      product.a = a.data();
      product.b = bytes.data();
      product.scales = scales.data();
      product.zero_points = zero_points.data();
      product.sums = sums.data();
      const auto get = [&](std::int64_t inner, std::int64_t column) {
        const std::int64_t panel = column / cpuacc::kPanelColumns * kInner;
        const std::int64_t line = are_halves ? (panel + inner) / 2 : panel + inner;
        const int byte = bytes[static_cast<std::size_t>(line * cpuacc::kPanelColumns +
                                                        column % cpuacc::kPanelColumns)];
        return are_halves ? (inner % 2 == 0 ? byte & 15 : byte >> 4) : byte;
      };
      for (const auto isa : {cpuacc::InstructionSet::kBaseline, cpuacc::InstructionSet::kAvx2,
                             cpuacc::InstructionSet::kAvx512}) {
        const cpuacc::SimdFunctions* const functions = cpuacc::FindSimdFunctions(isa);
        if (functions == nullptr) continue;  // not on this processor
        std::vector<float> found(static_cast<std::size_t>(rows * kColumns + 1), -1.0F);
        product.result = found.data();
        functions->products.multiply_byte_weights(product, 0, kPanels);
        for (std::int64_t i = 0; i < rows * kColumns; ++i) {
          const std::int64_t row = i / kColumns;
          const std::int64_t column = i % kColumns;
          double sum = 0.0;
          for (std::int64_t k = 0; k < kInner; ++k) {
            const auto scale = static_cast<std::size_t>(
                (column / cpuacc::kPanelColumns * 3 + k / 30) * cpuacc::kPanelColumns +
                column % cpuacc::kPanelColumns);
            sum += static_cast<double>(a[static_cast<std::size_t>(row * kInner + k)]) *
                   static_cast<double>(scales[scale]) *
                   (get(k, column) - static_cast<double>(zero_points[scale]));
          }
          ASSERT_NEAR(found[static_cast<std::size_t>(i)], sum, 1e-3) << row << ", " << column;
        }
        EXPECT_EQ(found.back(), -1.0F);
      }
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
