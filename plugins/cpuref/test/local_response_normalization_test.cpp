#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

LocalResponseNormalizationDescriptor DescribeLocalResponseNormalization(std::uint32_t axis,
                                                                        std::uint32_t size) {
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.size = size;
  descriptor.alpha = static_cast<float>(size);
  descriptor.beta = 1.0F;
  descriptor.bias = 0.0F;
  return descriptor;
}

/// The sums of the squares of the neighbours, each of which has a digit of its own.
std::vector<float> SumNeighbours(std::uint32_t size) {
  const FloatTensor input({4}, {1.0F, 10.0F, 100.0F, 1000.0F});
  std::vector<float> result = RunLayer(LayerType::kLocalResponseNormalization,
                                       DescribeLocalResponseNormalization(0, size), {input}, {4});
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = std::round(input.data[i] / result[i]);
  return result;
}

TEST(LocalResponseNormalization, HasAsManyNeighboursOnEitherSideAsItsSizeSays) {
  using Floats = std::vector<float>;
  EXPECT_EQ(SumNeighbours(1), (Floats{1.0F, 100.0F, 10000.0F, 1000000.0F}));
  // Of an even size, the one more is behind.
  EXPECT_EQ(SumNeighbours(2), (Floats{101.0F, 10100.0F, 1010000.0F, 1000000.0F}));
  EXPECT_EQ(SumNeighbours(3), (Floats{101.0F, 10101.0F, 1010100.0F, 1010000.0F}));
  EXPECT_EQ(SumNeighbours(4), (Floats{10101.0F, 1010101.0F, 1010100.0F, 1010000.0F}));
  EXPECT_EQ(SumNeighbours(std::numeric_limits<std::uint32_t>::max()), Floats(4, 1010101.0F));
}

TEST(LocalResponseNormalization, NaNSpoilsItsNeighboursOnly) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> result =
      RunLayer(LayerType::kLocalResponseNormalization, DescribeLocalResponseNormalization(0, 3),
               {FloatTensor({4}, {nan, 1.0F, 1.0F, 1.0F})}, {4});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1]));
  EXPECT_FALSE(std::isnan(result[2]) || std::isnan(result[3]));
}

TEST(LocalResponseNormalization, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kLocalResponseNormalization,
                       DescribeLocalResponseNormalization(1, 3), {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

TEST(LocalResponseNormalization, RefusesNoNeighboursAndAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kLocalResponseNormalization,
                        DescribeLocalResponseNormalization(2, 0),
                        {info},
                        info}),
            "axis 2 is outside of rank 2 of input 0; size is 0, but must be 1 or more");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
