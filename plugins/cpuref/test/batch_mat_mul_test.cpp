#include "test/float_case.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

BatchMatMulDescriptor DescribeBatchMatMul(std::uint32_t transpose_a, std::uint32_t transpose_b) {
  BatchMatMulDescriptor descriptor;
  descriptor.transpose_a = transpose_a;
  descriptor.transpose_b = transpose_b;
  return descriptor;
}

TensorShape MakeOperandShape(const TensorShape& batch, std::int64_t rows, std::int64_t columns,
                             std::uint32_t transpose) {
  TensorShape shape = batch;
  shape.Append(transpose == 1 ? columns : rows);
  shape.Append(transpose == 1 ? rows : columns);
  return shape;
}

/// The last `rank` axes of a shape, some of them 1.
TensorShape MakeBroadcastableShape(const TensorShape& full, std::uint32_t rank, Random& random) {
  TensorShape shape;
  for (std::uint32_t axis = full.rank - rank; axis < full.rank; ++axis) {
    shape.Append(random.Integer(0, 2) == 0 ? 1 : full[axis]);
  }
  return shape;
}

TestLayer MakeBatchMatMulLayer(const BatchMatMulDescriptor& descriptor, const TensorShape& a,
                               const TensorShape& b, const TensorShape& output) {
  return {LayerType::kBatchMatMul,
          descriptor,
          {TensorInfo(a, DataType::kFloat32), TensorInfo(b, DataType::kFloat32)},
          TensorInfo(output, DataType::kFloat32)};
}

TEST(BatchMatMul, MultipliesRandomBatchesWithBroadcastingAndTransposes) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t batch_rank = random.Word(0, kMaxRank - 2);
    const TensorShape full = random.Shape(batch_rank, 1, 3);
    const TensorShape batch_a = MakeBroadcastableShape(full, random.Word(0, batch_rank), random);
    const TensorShape batch_b = MakeBroadcastableShape(full, random.Word(0, batch_rank), random);
    TensorShape result;
    for (std::uint32_t i = std::max(batch_a.rank, batch_b.rank); i-- > 0;) {
      const std::int64_t extent_a = i < batch_a.rank ? batch_a[batch_a.rank - 1 - i] : 1;
      const std::int64_t extent_b = i < batch_b.rank ? batch_b[batch_b.rank - 1 - i] : 1;
      result.Append(std::max(extent_a, extent_b));
    }
    const std::int64_t rows = random.Integer(1, 7);
    const std::int64_t inner = random.Integer(1, 40);
    const std::int64_t columns = random.Integer(1, 20);
    result.Append(rows);
    result.Append(columns);
    const auto descriptor = DescribeBatchMatMul(random.Word(0, 1), random.Word(0, 1));
    const auto a = random.Tensor(MakeOperandShape(batch_a, rows, inner, descriptor.transpose_a));
    const auto b = random.Tensor(MakeOperandShape(batch_b, inner, columns, descriptor.transpose_b));
    ExpectAsOracle(GetOracleOfBatchMatMul(), descriptor, {a, b}, result);
  }
}

// More than are gone through at once, however they lie.
TEST(BatchMatMul, MultipliesLargeMatrices) {
  Random random(3);
  for (const std::uint32_t transposes : {0U, 1U, 2U, 3U}) {
    const auto descriptor = DescribeBatchMatMul(transposes / 2, transposes % 2);
    const auto a = random.Tensor(MakeOperandShape({}, 5, 70, descriptor.transpose_a));
    const auto b = random.Tensor(MakeOperandShape({}, 70, 300, descriptor.transpose_b));
    ExpectAsOracle(GetOracleOfBatchMatMul(), descriptor, {a, b}, {5, 300});
  }
}

TEST(BatchMatMul, TakesARowOfRankOne) {
  const FloatTensor row({2}, {1.0F, 10.0F});
  const FloatTensor matrices({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0), {row, matrices}, {2, 3}),
            (std::vector<float>{41, 52, 63, 107, 118, 129}));
}

TEST(BatchMatMul, TakesAColumnOfRankOne) {
  const FloatTensor matrices({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const FloatTensor column({2}, {1.0F, 10.0F});
  EXPECT_EQ(
      RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0), {matrices, column}, {2, 2}),
      (std::vector<float>{21, 43, 65, 87}));
  EXPECT_EQ(
      RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(1, 0), {matrices, column}, {2, 2}),
      (std::vector<float>{31, 42, 75, 86}));
}

TEST(BatchMatMul, TwoOperandsOfRankOneGiveAScalar) {
  const FloatTensor a({3}, {1.0F, 2.0F, 3.0F});
  const FloatTensor b({3}, {4.0F, 5.0F, 6.0F});
  EXPECT_EQ(RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0), {a, b}, {}),
            std::vector<float>{32.0F});
}

TEST(BatchMatMul, AnEmptyInnerAxisGivesZeros) {
  EXPECT_EQ(RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0),
                     {FloatTensor({2, 2, 0}), FloatTensor({0, 3})}, {2, 2, 3}),
            std::vector<float>(12, 0.0F));
}

TEST(BatchMatMul, TakesEmptyBatches) {
  EXPECT_TRUE(RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0),
                       {FloatTensor({0, 2, 2}), FloatTensor({1, 2, 3})}, {0, 2, 3})
                  .empty());
}

TEST(BatchMatMul, ZeroTimesNaNIsNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto result = RunLayer(LayerType::kBatchMatMul, DescribeBatchMatMul(0, 0),
                               {FloatTensor({1, 1}), FloatTensor({1, 2}, {nan, 1.0F})}, {1, 2});
  ASSERT_EQ(result.size(), 2U);
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 0.0F);
}

TEST(BatchMatMul, RefusesMatricesThatDoNotFit) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(0, 1), {2, 3}, {3, 4}, {2, 4})),
            "the matrices of input 0 have 3 columns, but those of input 1 4 rows; both must be "
            "equal");
}

TEST(BatchMatMul, RefusesBatchesThatDoNotBroadcast) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(0, 0), {2, 5, 1, 1}, {3, 1, 1},
                                            {2, 5, 1, 1})),
            "the leading axes [2, 5] of input 0 and [3] of input 1 do not broadcast");
}

TEST(BatchMatMul, RefusesScalars) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(0, 0), {}, {3}, {})),
            "input 0 has rank 0, but must have rank 1 to 8");
}

TEST(BatchMatMul, RefusesToTransposeRankOne) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(1, 0), {3}, {3}, {})),
            "transpose_a is 1, but input 0 has rank 1; only operands of rank 2 and more can be "
            "transposed");
}

TEST(BatchMatMul, RefusesFlagsThatAreNotZeroOrOne) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(2, 3), {1, 1}, {1, 1}, {1, 1})),
            "transpose_a is 2, but must be 0 or 1; transpose_b is 3, but must be 0 or 1");
}

TEST(BatchMatMul, RefusesAnOutputOfAnotherShape) {
  EXPECT_EQ(GetRefusal(MakeBatchMatMulLayer(DescribeBatchMatMul(0, 0), {5, 2, 3}, {3, 4}, {2, 4})),
            "the output has shape [2, 4], but the inputs give [5, 2, 4]");
}

TEST(BatchMatMul, RefusesOtherDataTypes) {
  TestLayer layer = MakeBatchMatMulLayer(DescribeBatchMatMul(0, 0), {1, 1}, {1, 1}, {1, 1});
  layer.inputs[1].data_type = DataType::kInt8;
  EXPECT_EQ(GetRefusal(layer), "data type int8 of input 1 differs from float32 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
