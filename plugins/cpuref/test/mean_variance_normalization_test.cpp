#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

MeanVarianceNormalizationDescriptor OverMeanVarianceNormalization(
    const std::vector<std::uint32_t>& axes) {
  MeanVarianceNormalizationDescriptor descriptor;
  for (const std::uint32_t axis : axes) descriptor.axes[descriptor.num_axes++] = axis;
  return descriptor;
}

TEST(MeanVarianceNormalization, ComputesGroupsAndNeighboursThatDoNotFitABlock) {
  Random random(37);
  const TensorShape shape = {3, 2, 150};
  for (const auto& axes :
       std::vector<std::vector<std::uint32_t>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
    ExpectAsOracle(GetOracleOfMeanVarianceNormalization(),
                   MakeCase(LayerType::kMeanVarianceNormalization,
                            OverMeanVarianceNormalization(axes), {shape}, shape),
                   random);
  }
}

TEST(MeanVarianceNormalization, WhatDoesNotVaryBecomesZero) {
  EXPECT_EQ(RunLayer(LayerType::kMeanVarianceNormalization, OverMeanVarianceNormalization({0}),
                     {FloatTensor({3}, {5.0F, 5.0F, 5.0F})}, {3}),
            (std::vector<float>{0.0F, 0.0F, 0.0F}));
  EXPECT_EQ(RunLayer(LayerType::kMeanVarianceNormalization, OverMeanVarianceNormalization({}),
                     {FloatTensor({2}, {5.0F, -7.0F})}, {2}),
            (std::vector<float>{0.0F, 0.0F}));
}

TEST(MeanVarianceNormalization, EpsilonIsAddedToTheDeviation) {
  MeanVarianceNormalizationDescriptor descriptor = OverMeanVarianceNormalization({0});
  descriptor.epsilon = 3.0F;
  EXPECT_EQ(RunLayer(LayerType::kMeanVarianceNormalization, descriptor,
                     {FloatTensor({2}, {2.0F, 4.0F})}, {2}),
            (std::vector<float>{-0.25F, 0.25F}));
}

TEST(MeanVarianceNormalization, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kMeanVarianceNormalization, OverMeanVarianceNormalization({1}),
                       {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

TEST(MeanVarianceNormalization, RefusesAxesThatAreNone) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kMeanVarianceNormalization,
                        OverMeanVarianceNormalization({2, 1, 1}),
                        {info},
                        info}),
            "axis 2 is outside of rank 2 of input 0; axis 1 is there twice");
  MeanVarianceNormalizationDescriptor descriptor;
  descriptor.num_axes = 9;
  EXPECT_EQ(GetRefusal({LayerType::kMeanVarianceNormalization, descriptor, {info}, info}),
            "num_axes is 9, but must be at most 8");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
