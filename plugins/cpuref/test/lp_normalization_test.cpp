#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

LpNormalizationDescriptor DescribeLpNormalization(std::uint32_t axis, std::uint32_t order) {
  LpNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.order = order;
  return descriptor;
}

TEST(LpNormalization, ComputesGroupsAndNeighboursThatDoNotFitABlock) {
  Random random(38);
  const TensorShape shape = {3, 2, 150};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    for (const std::uint32_t order : {1U, 2U}) {
      ExpectAsOracle(GetOracleOfLpNormalization(),
                     MakeCase(LayerType::kLpNormalization, DescribeLpNormalization(axis, order),
                              {shape}, shape),
                     random);
    }
  }
}

TEST(LpNormalization, OfZerosIsZero) {
  for (const std::uint32_t order : {1U, 2U}) {
    EXPECT_EQ(RunLayer(LayerType::kLpNormalization, DescribeLpNormalization(1, order),
                       {FloatTensor({2, 2}, {0.0F, -0.0F, 0.0F, -8.0F})}, {2, 2}),
              (std::vector<float>{0.0F, 0.0F, 0.0F, -1.0F}));
  }
}

TEST(LpNormalization, SquaresOfFloatsDoNotOverflow) {
  const std::vector<float> result =
      RunLayer(LayerType::kLpNormalization, DescribeLpNormalization(0, 2),
               {FloatTensor({2}, {3.0e30F, 4.0e30F})}, {2});
  ASSERT_EQ(result.size(), 2U);
  EXPECT_FLOAT_EQ(result[0], 0.6F);
  EXPECT_FLOAT_EQ(result[1], 0.8F);
}

TEST(LpNormalization, NaNSpoilsItsOwnRowOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto result = RunLayer(LayerType::kLpNormalization, DescribeLpNormalization(1, 1),
                               {FloatTensor({2, 2}, {nan, 0.0F, 1.0F, 3.0F})}, {2, 2});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  EXPECT_EQ(result[2], 0.25F);
  EXPECT_EQ(result[3], 0.75F);
}

TEST(LpNormalization, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kLpNormalization, DescribeLpNormalization(1, 2),
                       {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

TEST(LpNormalization, RefusesOtherOrdersAndAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kLpNormalization, DescribeLpNormalization(2, 3), {info}, info}),
            "axis 2 is outside of rank 2 of input 0; order 3 is not supported, only 1 and 2");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
