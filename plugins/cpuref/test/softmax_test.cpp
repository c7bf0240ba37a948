#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

SoftmaxDescriptor DescribeSoftmax(std::uint32_t axis, float beta = 1.0F) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.beta = beta;
  return descriptor;
}

void ExpectComputesSoftmax(const FloatTensor& input, const SoftmaxDescriptor& descriptor) {
  ExpectAsOracle(GetOracleOfSoftmax(), descriptor, {input}, input.shape);
}

std::vector<float> RunVectorSoftmax(const std::vector<float>& values, float beta = 1.0F) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kSoftmax, DescribeSoftmax(0, beta), {FloatTensor(shape, values)},
                  shape);
}

TEST(Softmax, ComputesRandomShapesOverEveryAxis) {
  Random random(13);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t rank = random.Word(1, kMaxRank);
    const float betas[] = {1.0F, 0.25F, 3.0F, -1.0F, 0.0F};
    ExpectComputesSoftmax(random.Tensor(random.Shape(rank, 1, 4)),
                          DescribeSoftmax(random.Word(0, rank - 1), betas[round % 5]));
  }
}

TEST(Softmax, ComputesMoreNeighboursThanFitATile) {
  Random random(14);
  ExpectComputesSoftmax(random.Tensor({2, 5, 150}), DescribeSoftmax(1));
  ExpectComputesSoftmax(random.Tensor({3, 64}), DescribeSoftmax(0));
}

TEST(Softmax, StaysFiniteForLargeExponents) {
  const std::vector<float> result = RunVectorSoftmax({1000.0F, 1000.0F, -1000.0F});
  EXPECT_EQ(result, (std::vector<float>{0.5F, 0.5F, 0.0F}));
  EXPECT_EQ(RunVectorSoftmax({-1000.0F, 1000.0F}, -2.0F), (std::vector<float>{1.0F, 0.0F}));
}

TEST(Softmax, NegativeInfinityGetsNothing) {
  EXPECT_EQ(RunVectorSoftmax({-kInfinity, 0.0F, -kInfinity, 0.0F}),
            (std::vector<float>{0.0F, 0.5F, 0.0F, 0.5F}));
}

TEST(Softmax, NothingButNegativeInfinityGivesNaN) {
  for (const float element : RunVectorSoftmax({-kInfinity, -kInfinity}))
    EXPECT_TRUE(std::isnan(element));
}

TEST(Softmax, NaNSpoilsItsOwnRowOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto result = RunLayer(LayerType::kSoftmax, DescribeSoftmax(1),
                               {FloatTensor({2, 2}, {nan, 1.0F, 2.0F, 2.0F})}, {2, 2});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], 0.5F);
  EXPECT_EQ(result[3], 0.5F);
}

TEST(Softmax, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      RunLayer(LayerType::kSoftmax, DescribeSoftmax(1), {FloatTensor({2, 0})}, {2, 0}).empty());
}

TEST(Softmax, RefusesAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const auto descriptor = DescribeSoftmax(2);
  EXPECT_EQ(GetRefusal({LayerType::kSoftmax, descriptor, {info}, info}),
            "axis 2 is outside of rank 2 of input 0");
}

TEST(Softmax, RefusesOtherDataTypesAndShapes) {
  const auto descriptor = DescribeSoftmax(0);
  EXPECT_EQ(GetRefusal({LayerType::kSoftmax,
                        descriptor,
                        {TensorInfo({2}, DataType::kFloat32)},
                        TensorInfo({3}, DataType::kInt64)}),
            std::string("data type int64 of the output") + kOnlyFloats +
                "; the output has shape [3], but the inputs give [2]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
