#include "test/large_case.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

BatchNormalizationDescriptor DescribeBatchNormalization(std::uint32_t axis,
                                                        float epsilon = 1.0e-5F) {
  BatchNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.epsilon = epsilon;
  return descriptor;
}

/// One channel of one element.
float Normalize(float x, float scale, float bias, float mean, float variance, float epsilon) {
  const auto one = [](float element) { return FloatTensor({1}, {element}); };
  return RunLayer(LayerType::kBatchNormalization, DescribeBatchNormalization(0, epsilon),
                  {one(x), one(scale), one(bias), one(mean), one(variance)}, {1})
      .at(0);
}

TEST(BatchNormalization, ComputesLongRowsAndManyChannels) {
  Random random(31);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const TensorShape shape = {3, 4, 150};
    const TensorShape channels = {shape[axis]};
    ExpectAsOracle(GetOracleOfBatchNormalization(),
                   MakeCase(LayerType::kBatchNormalization, DescribeBatchNormalization(axis),
                            {shape, channels, channels, channels, channels}, shape),
                   random);
  }
}

TEST(BatchNormalization, DividesByEpsilonWhenNothingVaries) {
  EXPECT_EQ(Normalize(3.0F, 2.0F, 0.5F, 1.0F, 0.0F, 4.0F), 2.5F);
  EXPECT_EQ(Normalize(3.0F, 2.0F, 0.5F, 1.0F, 0.0F, 0.0F), kInfinity);
  EXPECT_TRUE(std::isnan(Normalize(1.0F, 2.0F, 0.5F, 1.0F, 0.0F, 0.0F)));
}

TEST(BatchNormalization, KeepsSmallDifferencesToALargeMean) {
  EXPECT_EQ(Normalize(16777215.0F, 1.0F, 0.0F, 16777214.0F, 1.0F, 0.0F), 1.0F);
}

TEST(BatchNormalization, NegativeVarianceAndNaNGiveNaN) {
  EXPECT_TRUE(std::isnan(Normalize(1.0F, 1.0F, 0.0F, 0.0F, -1.0F, 1.0e-5F)));
  EXPECT_TRUE(std::isnan(Normalize(kNaN, 1.0F, 0.0F, 0.0F, 1.0F, 1.0e-5F)));
  EXPECT_TRUE(std::isnan(Normalize(1.0F, 1.0F, 0.0F, kNaN, 1.0F, 1.0e-5F)));
}

TEST(BatchNormalization, TakesAnEmptyTensor) {
  const FloatTensor none({0});
  EXPECT_TRUE(RunLayer(LayerType::kBatchNormalization, DescribeBatchNormalization(1),
                       {FloatTensor({2, 0}), none, none, none, none}, {2, 0})
                  .empty());
}

TEST(BatchNormalization, RefusesAnAxisOutsideOfTheRankAndOtherShapes) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const TensorInfo channels({3}, DataType::kFloat32);
  const TensorInfo wrong({2}, DataType::kFloat32);
  const std::vector<TensorInfo> inputs = {info, channels, channels, channels, wrong};
  EXPECT_EQ(
      GetRefusal({LayerType::kBatchNormalization, DescribeBatchNormalization(2), inputs, wrong}),
      "axis 2 is outside of rank 2 of input 0; the output has shape [2], but the inputs give "
      "[2, 3]");
  EXPECT_EQ(
      GetRefusal({LayerType::kBatchNormalization, DescribeBatchNormalization(1), inputs, info}),
      "input 4 has shape [2], but must have [3], an entry for each channel of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
