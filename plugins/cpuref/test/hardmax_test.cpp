#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

HardmaxDescriptor AlongHardmax(std::uint32_t axis) {
  HardmaxDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

std::vector<float> RunVectorHardmax(const std::vector<float>& values) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kHardmax, AlongHardmax(0), {FloatTensor(shape, values)}, shape);
}

TEST(Hardmax, TheFirstOfEqualElementsWins) {
  EXPECT_EQ(RunVectorHardmax({1.0F, 3.0F, 3.0F}), (std::vector<float>{0.0F, 1.0F, 0.0F}));
  EXPECT_EQ(RunVectorHardmax({-0.0F, 0.0F}), (std::vector<float>{1.0F, 0.0F}));
  const float lowest = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(RunVectorHardmax({lowest, lowest}), (std::vector<float>{1.0F, 0.0F}));
}

TEST(Hardmax, NaNIsGreatest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(RunVectorHardmax({1.0F, nan, std::numeric_limits<float>::infinity(), nan}),
            (std::vector<float>{0.0F, 1.0F, 0.0F, 0.0F}));
}

TEST(Hardmax, TakesAnEmptyTensor) {
  EXPECT_TRUE(
      RunLayer(LayerType::kHardmax, AlongHardmax(1), {FloatTensor({2, 0})}, {2, 0}).empty());
}

TEST(Hardmax, RefusesAnAxisOutsideOfTheRank) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kHardmax, AlongHardmax(2), {info}, info}),
            "axis 2 is outside of rank 2 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
