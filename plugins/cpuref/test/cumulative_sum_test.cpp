#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

CumulativeSumDescriptor DescribeCumulativeSum(std::uint32_t axis, std::uint32_t exclusive,
                                              std::uint32_t reverse) {
  CumulativeSumDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.exclusive = exclusive;
  descriptor.reverse = reverse;
  return descriptor;
}

std::vector<float> RunVectorCumulativeSum(const std::vector<float>& values, std::uint32_t exclusive,
                                          std::uint32_t reverse) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kCumulativeSum, DescribeCumulativeSum(0, exclusive, reverse),
                  {FloatTensor(shape, values)}, shape);
}

TEST(CumulativeSum, GoesInEitherDirectionWithTheElementOrWithout) {
  EXPECT_EQ(RunVectorCumulativeSum({1.0F, 2.0F, 4.0F}, 0, 0),
            (std::vector<float>{1.0F, 3.0F, 7.0F}));
  EXPECT_EQ(RunVectorCumulativeSum({1.0F, 2.0F, 4.0F}, 1, 0),
            (std::vector<float>{0.0F, 1.0F, 3.0F}));
  EXPECT_EQ(RunVectorCumulativeSum({1.0F, 2.0F, 4.0F}, 0, 1),
            (std::vector<float>{7.0F, 6.0F, 4.0F}));
  EXPECT_EQ(RunVectorCumulativeSum({1.0F, 2.0F, 4.0F}, 1, 1),
            (std::vector<float>{6.0F, 4.0F, 0.0F}));
}

TEST(CumulativeSum, NaNSpoilsOnlyWhatFollows) {
  const std::vector<float> result = RunVectorCumulativeSum({1.0F, kNaN, 1.0F}, 0, 0);
  EXPECT_EQ(result.at(0), 1.0F);
  EXPECT_TRUE(std::isnan(result.at(1)) && std::isnan(result.at(2)));
  const std::vector<float> exclusive = RunVectorCumulativeSum({1.0F, kInfinity, -kInfinity}, 1, 0);
  EXPECT_EQ(exclusive, (std::vector<float>{0.0F, 1.0F, kInfinity}));
}

TEST(CumulativeSum, SmallElementsAreNotLostBesideALargeSum) {
  EXPECT_EQ(RunVectorCumulativeSum({16777216.0F, 1.0F, 1.0F}, 0, 0).at(2), 16777218.0F);
}

TEST(CumulativeSum, IntegersWrapAround) {
  const StoredTensor input = MakeStored<std::int8_t>(DataType::kInt8, {100, 100, 100});
  EXPECT_EQ(GetStored<std::int8_t>(RunStored(LayerType::kCumulativeSum,
                                             DescribeCumulativeSum(0, 0, 0), {input}, input.info)),
            (std::vector<std::int8_t>{100, -56, 44}));
}

TEST(CumulativeSum, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kCumulativeSum, DescribeCumulativeSum(1, 0, 0),
                       {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

TEST(CumulativeSum, RefusesFieldsThatItDoesNotKnow) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(
      GetRefusal({LayerType::kCumulativeSum, DescribeCumulativeSum(2, 2, 3), {info}, info}),
      "axis 2 is outside of rank 2 of input 0; exclusive is 2, but must be 0 or 1; reverse is "
      "3, but must be 0 or 1");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
