// Products of dequantised rows with constant matrices, whose results stay reals.

#include "quantised/exact_sums.hpp"
#include "test/passes/pass_case.hpp"
#include "test/quantised_operands.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/dequantize.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/gather.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

struct ProductSizes {
  TensorShape rows;
  std::int64_t columns;
};

/// What may be known of the integers.
struct IntegerTypes {
  DataType rows = DataType::kUInt8;
  std::int32_t rows_zero_point = 0;
  DataType matrix = DataType::kInt8;
  std::vector<std::int32_t> matrix_zero_points = {0};  // of all columns, or of each in turn
  bool is_transposed = false;
};

const std::vector<IntegerTypes> kIntegerTypes = {
    {},
    {DataType::kUInt8, 255, DataType::kInt8, {0, 0}, true},
    {DataType::kInt8, -128, DataType::kInt8, {127}},
    {DataType::kInt8, 127, DataType::kInt8, {-128}, true},
    {DataType::kInt8, 3, DataType::kInt8, {-128, 127, 0}},
    {DataType::kUInt8, 128, DataType::kUInt8, {0, 255}, true},
    {DataType::kUInt8, 7, DataType::kUInt8, {128}}};

/// Scales of columns lie up to nine orders of magnitude apart.
TensorInfo MakeByteMatrix(const IntegerTypes& types, std::int64_t inner, std::int64_t columns) {
  TensorInfo info(types.is_transposed ? TensorShape{columns, inner} : TensorShape{inner, columns},
                  types.matrix);
  const std::size_t num_kinds = types.matrix_zero_points.size();
  info.quantization.axis = types.is_transposed ? 0 : 1;
  for (std::size_t i = 0; i < (num_kinds == 1 ? 1 : static_cast<std::size_t>(columns)); ++i) {
    info.quantization.scales.push_back(0.013F * std::pow(10.0F, static_cast<float>(i % 10) - 6));
    info.quantization.zero_points.push_back(types.matrix_zero_points[i % num_kinds]);
  }
  return info;
}

TensorId DequantiseConstant(NetworkCase& network, const StoredTensor& integers) {
  return network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                     {network.AddConstant(integers)}, integers.info.shape);
}

TensorInfo MakeByteRows(const ProductSizes& sizes, const IntegerTypes& types) {
  return Quantised(sizes.rows, types.rows, 0.037F, types.rows_zero_point);
}

/// A product of rows, an input, with this matrix. Gives the output.
TensorId AddProduct(NetworkCase& network, const ProductSizes& sizes, const IntegerTypes& types,
                    const StoredTensor& matrix) {
  const TensorInfo rows = MakeByteRows(sizes, types);
  const TensorId a = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                 {network.AddInput(rows)}, rows.shape);
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = types.is_transposed ? 1 : 0;
  TensorShape output = sizes.rows;
  output[output.rank - 1] = sizes.columns;
  return network.Add(LayerType::kBatchMatMul, descriptor, {a, DequantiseConstant(network, matrix)},
                     output);
}

/// The sums in double, of integers.
std::vector<double> MultiplyExactly(const StoredTensor& rows, const StoredTensor& matrix,
                                    bool is_transposed) {
  const auto a = cpuref_test::GetDifferences(rows);
  const auto b = cpuref_test::GetDifferences(matrix);
  const auto inner = static_cast<std::size_t>(rows.info.shape[rows.info.shape.rank - 1]);
  const std::size_t columns = b.data.size() / inner;
  std::vector<double> results;
  for (std::size_t row = 0; row < a.data.size() / inner; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0.0;
      for (std::size_t i = 0; i < inner; ++i) {
        sum +=
            static_cast<double>(a.data[row * inner + i]) *
            static_cast<double>(b.data[is_transposed ? column * inner + i : i * columns + column]);
      }
      const auto& scales = matrix.info.quantization.scales;
      results.push_back(sum * static_cast<double>(rows.info.quantization.scales[0]) *
                        static_cast<double>(scales[scales.size() == 1 ? 0 : column]));
    }
  }
  return results;
}

/// Each result is the exact one, rounded a few times: no terms cancel.
void ExpectExactSums(const ProductSizes& sizes, const IntegerTypes& types, bool saturates) {
  NetworkCase network;
  const std::int64_t inner = sizes.rows[sizes.rows.rank - 1];
  StoredTensor matrix =
      MakeRandomTensor(MakeByteMatrix(types, inner, sizes.columns), network.GetRandom());
  network.AddOutput(AddProduct(network, sizes, types, matrix));
  EXPECT_EQ(ListNodes(network), Names{"BatchMatMul"});
  std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
  if (saturates) {
    std::fill(inputs[0].bytes.begin(), inputs[0].bytes.end(),
              static_cast<unsigned char>(types.rows == DataType::kInt8 ? 128 : 255));
  }
  const std::vector<double> expected = MultiplyExactly(inputs[0], matrix, types.is_transposed);
  for (const int num_threads : {1, 2}) {
    cpuacc::Options options;
    options.num_threads = num_threads;
    const StoredTensor found = RunCompiled(network.GetGraph(), inputs, options)[0];
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(GetFloat(found, i), expected[i], 3e-7 * std::fabs(expected[i]))
          << i << ", inner " << inner << ", columns " << sizes.columns;
    }
  }
}

TEST(MultiplyIntegers, SumsAreExact) {
  const ProductSizes kSizes[] = {{{1, 1}, 1},         {{3, 5}, 7},     {{2, 3, 64}, 16},
                                 {{2, 2, 3, 33}, 17}, {{1, 300}, 70},  {{130, 129}, 31},
                                 {{1, 128, 96}, 200}, {{3, 1000}, 300}};
  for (std::size_t types = 0; types < kIntegerTypes.size(); ++types) {
    SCOPED_TRACE("types " + std::to_string(types));
    for (const ProductSizes& sizes : kSizes) {
      ExpectExactSums(sizes, kIntegerTypes[types], false);
      ExpectExactSums(sizes, kIntegerTypes[types], true);
    }
  }
}

/// The longest sums that are known to fit.
TEST(MultiplyIntegers, LongSumsAreExact) {
  for (const IntegerTypes& types : kIntegerTypes) {
    ExpectExactSums({{2, 33025}, 3}, types, true);
  }
}

TEST(MultiplyIntegers, BiasAndFunctionsRunBehind) {
  for (const bool is_fully_connected : {false, true}) {
    NetworkCase network;
    const TensorInfo info = MakeByteRows({{37, 48}, 24}, IntegerTypes());
    const TensorId rows = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                      {network.AddInput(info)}, info.shape);
    const TensorId matrix = DequantiseConstant(
        network, MakeRandomTensor(MakeByteMatrix({}, 48, 24), network.GetRandom()));
    const TensorId bias = network.AddConstant({24});
    TensorId x = is_fully_connected
                     ? network.Add(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                                   {rows, matrix, bias}, {37, 24})
                     : AddBinary(network, BinaryOperation::kAdd, bias,
                                 network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                             {rows, matrix}, {37, 24}));
    x = AddBinary(network, BinaryOperation::kAdd, x, network.AddInput({37, 24}));
    network.AddOutput(AddActivation(network, x, ActivationFunction::kTanH));
    EXPECT_EQ(ListNodes(network), Names{"BatchMatMul+++"});
    ExpectAsCpuRef(network);
  }
}

/// Integers are read, and reals, too, where others need those.
TEST(MultiplyIntegers, LeavesRealsToOtherReaders) {
  NetworkCase network;
  const TensorInfo info = MakeByteRows({{3, 48}, 48}, IntegerTypes());
  const TensorId rows = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                    {network.AddInput(info)}, info.shape);
  const TensorId matrix = DequantiseConstant(
      network, MakeRandomTensor(MakeByteMatrix({}, 48, 48), network.GetRandom()));
  const TensorId product =
      network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {rows, matrix}, {3, 48});
  network.AddOutput(AddBinary(network, BinaryOperation::kMul, product, rows));
  EXPECT_EQ(ListNodes(network), (Names{"Dequantize", "BatchMatMul+"}));
  ExpectAsCpuRef(network);
}

TEST(MultiplyIntegers, LeavesWhatIntegersCannotSum) {
  enum class Reason { kScalesOfRows, kScalesAlongInner, kTinyScales, kLongSums, kNoRows };
  for (const Reason need : {Reason::kScalesOfRows, Reason::kScalesAlongInner, Reason::kTinyScales,
                            Reason::kLongSums, Reason::kNoRows}) {
    SCOPED_TRACE(static_cast<int>(need));
    const std::int64_t inner = need == Reason::kLongSums ? 33026 : 6;
    NetworkCase network;
    TensorInfo info = MakeByteRows({{need == Reason::kNoRows ? 0 : 6, inner}, 6}, IntegerTypes());
    if (need == Reason::kScalesOfRows) {
      info.quantization.scales.assign(6, 0.1F);
      info.quantization.zero_points.assign(6, 0);
    }
    TensorInfo matrix_info = MakeByteMatrix({}, inner, 6);
    if (need == Reason::kScalesAlongInner) {
      matrix_info.quantization.axis = 0;
      matrix_info.quantization.scales.assign(6, 0.1F);
      matrix_info.quantization.zero_points.assign(6, 0);
    }
    if (need == Reason::kTinyScales) {
      matrix_info.quantization.scales = {std::numeric_limits<float>::min()};
    }
    const TensorId rows = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                      {network.AddInput(info)}, info.shape);
    const TensorId matrix =
        DequantiseConstant(network, MakeRandomTensor(matrix_info, network.GetRandom()));
    network.AddOutput(network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {rows, matrix},
                                  {info.shape[0], 6}));
    // The large matrix is read as it is stored.
    const std::string product = need == Reason::kLongSums ? "ByteWeights" : "BatchMatMul";
    EXPECT_EQ(ListNodes(network), (Names{"Dequantize", product}));
    ExpectAsCpuRef(network);
  }
}

struct AttentionCase {
  TensorShape a;
  TensorShape b;
  bool is_transposed = false;
  DataType types[2] = {DataType::kUInt8, DataType::kUInt8};
  std::int32_t zero_points[2] = {0, 0};
};

/// As exact as products with constants, where the processor computes them so.
void ExpectAttention(const AttentionCase& sizes, bool has_chain) {
  NetworkCase network;
  TensorId reals[2];
  for (int i = 0; i < 2; ++i) {
    TensorInfo info(i == 0 ? sizes.a : sizes.b, sizes.types[i]);
    info.quantization.scales = {0.031F};
    info.quantization.zero_points = {sizes.zero_points[i]};
    reals[i] = network.Add(LayerType::kDequantize, DequantizeDescriptor(), {network.AddInput(info)},
                           info.shape);
  }
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_b = sizes.is_transposed ? 1 : 0;
  TensorShape output = sizes.a;
  output[output.rank - 1] = sizes.b[output.rank - (sizes.is_transposed ? 2 : 1)];
  TensorId x = network.Add(LayerType::kBatchMatMul, descriptor, {reals[0], reals[1]}, output);
  if (has_chain) {
    x = AddBinary(network, BinaryOperation::kMul, x, 0.125F);
    x = AddBinary(network, BinaryOperation::kAdd, x, network.AddInput({output[output.rank - 1]}));
  }
  network.AddOutput(x);
  if (cpuacc::HasExactByteProducts()) {
    EXPECT_EQ(ListNodes(network), Names{has_chain ? "BatchMatMul++" : "BatchMatMul"});
  }
  ExpectAsCpuRef(network);
}

TEST(MultiplyIntegers, ProductsOfActivationsAreSums) {
  constexpr auto kInt8 = DataType::kInt8;
  constexpr auto kUInt8 = DataType::kUInt8;
  const AttentionCase kCases[] = {
      {{1, 12, 64, 33}, {1, 12, 33, 65}, false, {kUInt8, kUInt8}, {117, 130}},
      {{1, 12, 64, 33}, {1, 12, 65, 33}, true, {kUInt8, kUInt8}, {255, 0}},
      {{2, 3, 70, 70}, {2, 3, 70, 17}, false, {kInt8, kUInt8}, {-128, 255}},
      {{5, 129, 31}, {5, 31, 129}, false, {kUInt8, kInt8}, {0, -128}},
      {{5, 129, 31}, {5, 129, 31}, true, {kInt8, kInt8}, {127, 127}},
      {{300, 100}, {100, 100}, false, {kUInt8, kUInt8}, {128, 128}},
      {{9000, 1, 10}, {9000, 10, 3}, false, {kUInt8, kUInt8}, {3, 5}}};
  for (const AttentionCase& sizes : kCases) {
    ExpectAttention(sizes, false);
    ExpectAttention(sizes, true);
  }
}

/// Shared ones once; those without a zero point have it at 0.
TEST(SignWeights, MakesInt8OfUInt8) {
  NetworkCase network;
  TensorInfo info({48, 48}, DataType::kUInt8);
  info.quantization.scales = {0.01F};
  const TensorId matrix = network.AddConstant(MakeRandomTensor(info, network.GetRandom()));
  TensorInfo result({5, 48}, DataType::kUInt8);
  result.quantization.scales = {0.9F};
  result.quantization.zero_points = {11};
  TensorId x = network.AddInput(result);
  for (int i = 0; i < 2; ++i) {
    x = network.AddLayer(LayerType::kFullyConnected, FullyConnectedDescriptor(), {x, matrix},
                         {result})[0];
  }
  network.AddOutput(x);
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  const TensorId made = graph.nodes[0].inputs[1];
  EXPECT_EQ(graph.nodes[1].inputs[1], made);
  EXPECT_EQ(graph.tensors[made].info.data_type, DataType::kInt8);
  EXPECT_EQ(graph.tensors[made].info.quantization.zero_points, std::vector<std::int32_t>{-128});
  ExpectAsCpuRef(network, Precision::kExact);
}

/// Weights that are turned behind Dequantize, quantised in the network or before, with a scale for
/// each column.
TEST(DequantizeLate, TurnsIntegersOfMatrices) {
  for (const bool are_reals : {false, true}) {
    NetworkCase network;
    IntegerTypes types;
    types.is_transposed = true;
    types.matrix_zero_points = {0, 0, 0};
    const TensorInfo rows_info = MakeByteRows({{2, 3, 70}, 33}, types);
    const TensorInfo matrix_info = MakeByteMatrix(types, 70, 33);
    const TensorId rows = network.Add(LayerType::kDequantize, DequantizeDescriptor(),
                                      {network.AddInput(rows_info)}, rows_info.shape);
    const TensorId integers =
        are_reals ? network.AddLayer(LayerType::kQuantize, NoDescriptor(),
                                     {network.AddConstant({33, 70})}, {matrix_info})[0]
                  : network.AddConstant(MakeRandomTensor(matrix_info, network.GetRandom()));
    const TensorId matrix = AddTranspose(
        network, network.Add(LayerType::kDequantize, DequantizeDescriptor(), {integers}, {33, 70}),
        {1, 0});
    network.AddOutput(
        network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {rows, matrix}, {2, 3, 33}));
    EXPECT_EQ(ListNodes(network), Names{"BatchMatMul"});
    ExpectAsCpuRef(network);
  }
}

TEST(DequantizeLate, DequantisesTheRowsOfATableThatAreRead) {
  for (const bool has_many_scales : {false, true}) {
    NetworkCase network;
    IntegerTypes types;
    if (has_many_scales) types.matrix_zero_points = {0, 0};
    const TensorId table = DequantiseConstant(
        network, MakeRandomTensor(MakeByteMatrix(types, 300, 70), network.GetRandom()));
    CastDescriptor to_indices;
    to_indices.to = DataType::kInt32;
    const TensorId indices = network.AddLayer(LayerType::kCast, to_indices,
                                              {network.AddInput(TensorInfo({3}, DataType::kUInt8))},
                                              {TensorInfo({3}, DataType::kInt32)})[0];
    network.AddOutput(
        network.Add(LayerType::kGather, GatherDescriptor(), {table, indices}, {3, 70}));
    if (has_many_scales) {
      EXPECT_NE(ListNodes(network).back(), "Dequantize");
    } else {
      EXPECT_EQ(ListNodes(network), (Names{"Cast", "Gather", "Dequantize"}));
    }
    ExpectAsCpuRef(network, Precision::kExact);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
