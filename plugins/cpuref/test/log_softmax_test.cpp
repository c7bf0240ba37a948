#include "test/large_case.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

SoftmaxDescriptor DescribeLogSoftmax(std::uint32_t axis, float beta = 1.0F) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.beta = beta;
  return descriptor;
}

std::vector<float> RunVectorLogSoftmax(const std::vector<float>& values, float beta = 1.0F) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kLogSoftmax, DescribeLogSoftmax(0, beta), {FloatTensor(shape, values)},
                  shape);
}

TEST(LogSoftmax, ComputesMoreNeighboursThanFitATile) {
  Random random(39);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const TensorShape shape = {2, 5, 150};
    ExpectAsOracle(GetOracleOfLogSoftmax(),
                   MakeCase(LayerType::kLogSoftmax, DescribeLogSoftmax(axis), {shape}, shape),
                   random);
  }
}

TEST(LogSoftmax, IsExactWhereProbabilitiesVanish) {
  EXPECT_EQ(RunVectorLogSoftmax({0.0F, -1000.0F, 10000.0F}),
            (std::vector<float>{-10000.0F, -11000.0F, 0.0F}));
  EXPECT_EQ(RunVectorLogSoftmax({1000.0F, -1000.0F}, -1.0F), (std::vector<float>{-2000.0F, 0.0F}));
}

TEST(LogSoftmax, NegativeInfinityStaysWhatItIs) {
  const std::vector<float> result = RunVectorLogSoftmax({-kInfinity, 2.0F, 2.0F});
  EXPECT_EQ(result[0], -kInfinity);
  EXPECT_NEAR(static_cast<double>(result[1]), -std::log(2.0), 1e-6);
}

TEST(LogSoftmax, NothingButNegativeInfinityGivesNaN) {
  for (const float element : RunVectorLogSoftmax({-kInfinity, -kInfinity}))
    EXPECT_TRUE(std::isnan(element));
}

TEST(LogSoftmax, NaNSpoilsItsOwnRowOnly) {
  const auto result = RunLayer(LayerType::kLogSoftmax, DescribeLogSoftmax(1),
                               {FloatTensor({2, 2}, {kNaN, 1.0F, 2.0F, -kInfinity})}, {2, 2});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  EXPECT_EQ(result[2], 0.0F);
  EXPECT_EQ(result[3], -kInfinity);
}

TEST(LogSoftmax, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kLogSoftmax, DescribeLogSoftmax(1), {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

TEST(LogSoftmax, RefusesAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kLogSoftmax, DescribeLogSoftmax(2), {info}, info}),
            "axis 2 is outside of rank 2 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
