#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using Bools = std::vector<std::uint8_t>;

ComparisonDescriptor DescribeComparison(ComparisonOperation operation) {
  ComparisonDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

Bools Compare(ComparisonOperation operation, const StoredTensor& a, const StoredTensor& b,
              const TensorShape& output) {
  return GetStored<std::uint8_t>(RunStored(LayerType::kComparison, DescribeComparison(operation),
                                           {a, b}, TensorInfo(output, DataType::kBool)));
}

/// Expects the results of each operation in turn, from Equal to LessOrEqual.
void ExpectCompares(const StoredTensor& a, const StoredTensor& b,
                    const std::vector<Bools>& expected) {
  for (std::uint32_t operation = 1; operation <= expected.size(); ++operation) {
    EXPECT_EQ(Compare(ComparisonOperation{operation}, a, b, a.info.shape), expected[operation - 1])
        << operation;
  }
}

TEST(Comparison, ComparesFloats) {
  ExpectCompares(
      MakeStored<float>(DataType::kFloat32, {1.0F, 2.0F, 3.0F, -0.0F, kInfinity, -kInfinity}),
      MakeStored<float>(DataType::kFloat32, {2.0F, 2.0F, 2.0F, 0.0F, kInfinity, kInfinity}),
      {{0, 1, 0, 1, 1, 0},
       {1, 0, 1, 0, 0, 1},
       {0, 0, 1, 0, 0, 0},
       {0, 1, 1, 1, 1, 0},
       {1, 0, 0, 0, 0, 1},
       {1, 1, 0, 1, 1, 1}});
}

TEST(Comparison, NaNIsUnequalToEverything) {
  ExpectCompares(MakeStored<float>(DataType::kFloat32, {kNaN, kNaN, 1.0F}),
                 MakeStored<float>(DataType::kFloat32, {kNaN, 1.0F, kNaN}),
                 {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
}

TEST(Comparison, IntegersHaveTheirSignAndAllTheirBits) {
  ExpectCompares(MakeStored<std::int64_t>(DataType::kInt64, {-1, INT64_MAX}),
                 MakeStored<std::int64_t>(DataType::kInt64, {1, INT64_MAX - 1}),
                 {{0, 0}, {1, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}});
  ExpectCompares(MakeStored<std::uint64_t>(DataType::kUInt64, {UINT64_MAX, 5}),
                 MakeStored<std::uint64_t>(DataType::kUInt64, {1, 5}),
                 {{0, 1}, {1, 0}, {1, 0}, {1, 1}, {0, 0}, {0, 1}});
  ExpectCompares(MakeStored<std::uint8_t>(DataType::kUInt8, {200}),
                 MakeStored<std::uint8_t>(DataType::kUInt8, {100}), {{0}, {1}, {1}, {1}, {0}, {0}});
}

TEST(Comparison, EveryByteButZeroIsTheSameTrue) {
  ExpectCompares(MakeStored<std::uint8_t>(DataType::kBool, {0, 0, 1, 2}),
                 MakeStored<std::uint8_t>(DataType::kBool, {0, 1, 255, 0}),
                 {{1, 0, 1, 0}, {0, 1, 0, 1}});
}

TEST(Comparison, QuantisedElementsAreComparedByWhatTheyMean) {
  TensorInfo halves({3}, DataType::kInt8);
  halves.quantization.scales = {0.5F};
  TensorInfo quarters({3}, DataType::kUInt8);
  quarters.quantization.scales = {0.25F};
  quarters.quantization.zero_points = {10};
  ExpectCompares(MakeStored<std::int8_t>(halves, {2, 2, -2}),
                 MakeStored<std::uint8_t>(quarters, {14, 15, 0}),
                 {{1, 0, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 0}, {1, 1, 0}});
}

TEST(Comparison, Broadcasts) {
  const StoredTensor column = MakeStored<float>(TensorInfo({2, 1}, DataType::kFloat32), {1, 2});
  const StoredTensor row = MakeStored<float>(TensorInfo({3}, DataType::kFloat32), {1, 2, 3});
  EXPECT_EQ(Compare(ComparisonOperation::kGreaterOrEqual, column, row, {2, 3}),
            (Bools{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(Compare(ComparisonOperation::kGreaterOrEqual, row, column, {2, 3}),
            (Bools{1, 1, 1, 0, 1, 1}));
}

TEST(Comparison, TakesAnEmptyTensor) {
  const StoredTensor empty = MakeStored<float>(DataType::kFloat32, {});
  EXPECT_TRUE(Compare(ComparisonOperation::kLess, empty, empty, {0}).empty());
}

std::string AskComparison(ComparisonOperation operation, DataType type, DataType output) {
  const TensorInfo info({2}, type);
  return GetRefusal({LayerType::kComparison,
                     DescribeComparison(operation),
                     {info, info},
                     TensorInfo({2}, output)});
}

TEST(Comparison, RefusesToOrderBool) {
  EXPECT_EQ(AskComparison(ComparisonOperation::kLess, DataType::kBool, DataType::kBool),
            std::string("data type bool of input 0") + kOnlyNumbers +
                "; data type bool of input 1" + kOnlyNumbers);
}

TEST(Comparison, RefusesBoolAndNumbersTogether) {
  EXPECT_EQ(GetRefusal({LayerType::kComparison,
                        DescribeComparison(ComparisonOperation::kEqual),
                        {TensorInfo({2}, DataType::kBool), TensorInfo({2}, DataType::kUInt8)},
                        TensorInfo({2}, DataType::kBool)}),
            "data type uint8 of input 1 is not supported, only bool");
}

TEST(Comparison, RefusesAnotherOutputThanBoolAndAnUnknownOperation) {
  EXPECT_EQ(AskComparison(ComparisonOperation::kEqual, DataType::kInt32, DataType::kInt32),
            "data type int32 of the output is not supported, only bool");
  EXPECT_EQ(AskComparison(ComparisonOperation{7}, DataType::kInt32, DataType::kBool),
            "comparison 7 is not supported, only 1 (Equal) to 6 (LessOrEqual)");
}

TEST(Comparison, RefusesShapesThatDoNotBroadcast) {
  EXPECT_EQ(GetRefusal({LayerType::kComparison,
                        ComparisonDescriptor(),
                        {TensorInfo({2}, DataType::kFloat32), TensorInfo({3}, DataType::kFloat32)},
                        TensorInfo({2}, DataType::kBool)}),
            "the shapes [2] of input 0 and [3] of input 1 do not broadcast");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
