#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

InstanceNormalizationDescriptor OfInstancesInstanceNormalization(float epsilon) {
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = epsilon;
  return descriptor;
}

TEST(InstanceNormalization, ComputesLongRows) {
  Random random(32);
  const TensorShape shape = {2, 3, 9, 17};
  ExpectAsOracle(GetOracleOfInstanceNormalization(),
                 MakeCase(LayerType::kInstanceNormalization,
                          OfInstancesInstanceNormalization(0.01F), {shape, {3}, {3}}, shape),
                 random);
}

TEST(InstanceNormalization, OneElementBecomesTheBias) {
  const FloatTensor bias({2}, {0.5F, -0.25F});
  EXPECT_EQ(
      RunLayer(LayerType::kInstanceNormalization, OfInstancesInstanceNormalization(1.0e-5F),
               {FloatTensor({1, 2, 1}, {7.0F, 1.0e30F}), FloatTensor({2}, {3.0F, 4.0F}), bias},
               {1, 2, 1}),
      bias.data);
}

TEST(InstanceNormalization, KeepsSmallDifferencesToALargeMean) {
  const std::vector<float> result =
      RunLayer(LayerType::kInstanceNormalization, OfInstancesInstanceNormalization(0.0F),
               {FloatTensor({1, 1, 4}, {1048576.0F, 1048577.0F, 1048576.0F, 1048577.0F}),
                FloatTensor({1}, {1.0F}), FloatTensor({1})},
               {1, 1, 4});
  EXPECT_EQ(result, (std::vector<float>{-1.0F, 1.0F, -1.0F, 1.0F}));
}

TEST(InstanceNormalization, NaNSpoilsItsOwnChannelOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> result =
      RunLayer(LayerType::kInstanceNormalization, OfInstancesInstanceNormalization(0.0F),
               {FloatTensor({1, 2, 2}, {nan, 1.0F, 3.0F, 5.0F}), FloatTensor({2}, {1.0F, 1.0F}),
                FloatTensor({2})},
               {1, 2, 2});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  EXPECT_EQ(result[2], -1.0F);
  EXPECT_EQ(result[3], 1.0F);
}

TEST(InstanceNormalization, TakesEmptyTensors) {
  for (const TensorShape& shape :
       {TensorShape{0, 2, 3}, TensorShape{1, 0, 3}, TensorShape{1, 2, 0}}) {
    const FloatTensor channels({shape[1]});
    EXPECT_TRUE(RunLayer(LayerType::kInstanceNormalization, OfInstancesInstanceNormalization(0.0F),
                         {FloatTensor(shape), channels, channels}, shape)
                    .empty());
  }
}

TEST(InstanceNormalization, RefusesOtherShapes) {
  const TensorInfo row({3}, DataType::kFloat32);
  const TensorInfo matrix({2, 3}, DataType::kFloat32);
  const TensorInfo wrong({2}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kInstanceNormalization,
                        OfInstancesInstanceNormalization(0.0F),
                        {row, row, row},
                        row}),
            "input 0 has rank 1, but must have 2 or more, [N, C, ...]");
  EXPECT_EQ(
      GetRefusal({LayerType::kInstanceNormalization,
                  OfInstancesInstanceNormalization(0.0F),
                  {matrix, wrong, wrong},
                  matrix}),
      "input 1 has shape [2], but must have [3], an entry for each channel of input 0; input 2 has "
      "shape [2], but must have [3], an entry for each channel of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
