#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

RangeDescriptor Count(std::int64_t count) {
  RangeDescriptor descriptor;
  descriptor.count = count;
  return descriptor;
}

TEST(Range, CountsFromTheStart) {
  EXPECT_EQ(RunLayer(LayerType::kRange, Count(3), {{{}, {1}}, {{}, {-0.5F}}}, {3}),
            (std::vector<float>{1, 0.5F, 0}));
  EXPECT_TRUE(RunLayer(LayerType::kRange, Count(0), {{{}, {1}}, {{}, {1}}}, {0}).empty());
}

TEST(Range, BeginsWithTheStartWhateverTheDelta) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(RunLayer(LayerType::kRange, Count(2), {{{}, {1}}, {{}, {infinity}}}, {2}),
            (std::vector<float>{1, infinity}));
}

TEST(Range, CountsFurtherThanAFloatDoes) {
  constexpr std::int64_t kCount = (1 << 24) + 4;
  const std::vector<float> found =
      RunLayer(LayerType::kRange, Count(kCount), {{{}, {0.5F}}, {{}, {0.25F}}}, {kCount});
  EXPECT_EQ(found.back(), static_cast<float>(0.5 + 0.25 * (kCount - 1)));
}

TEST(Range, RefusesWhatDoesNotFit) {
  const TensorInfo scalar({}, DataType::kFloat32);
  const TensorInfo pair({2}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kRange, Count(2), {scalar, pair}, pair}),
            "input 1 has shape [2], but must have one element");
  EXPECT_EQ(GetRefusal({LayerType::kRange, Count(3), {scalar, scalar}, pair}),
            "the output has shape [2], but the inputs give [3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
