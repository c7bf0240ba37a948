#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

ExpandDescriptor ToExpand(const TensorShape& shape) {
  ExpandDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, descriptor.dims);
  return descriptor;
}

std::vector<float> Expand(const FloatTensor& input, const TensorShape& output) {
  return RunLayer(LayerType::kExpand, ToExpand(output), {input}, output);
}

TEST(Expand, RepeatsAlongMissingAxesAndAxesOfOne) {
  EXPECT_EQ(Expand({{2, 1}, {1, 2}}, {2, 2, 3}),
            (std::vector<float>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(Expand({{3}, {1, 2, 3}}, {2, 3}), (std::vector<float>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(Expand({{}, {7}}, {3}), (std::vector<float>{7, 7, 7}));
  EXPECT_EQ(Expand({{}, {7}}, {}), (std::vector<float>{7}));
}

TEST(Expand, GivesNothingForNothing) {
  EXPECT_TRUE(Expand(FloatTensor({1, 3}), {0, 3}).empty());
  EXPECT_TRUE(Expand(FloatTensor({0, 1}), {0, 3}).empty());
}

TEST(Expand, RefusesWhatDoesNotBroadcast) {
  const TensorInfo info({2}, DataType::kFloat32);
  const TensorInfo output({3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kExpand, ToExpand({3}), {info}, output}),
            "input 0 with shape [2] does not broadcast to [3]");
  EXPECT_EQ(GetRefusal({LayerType::kExpand, ToExpand({}), {info}, info}),
            "input 0 with shape [2] does not broadcast to []; the output has shape [2], but the "
            "inputs give []");
  ExpandDescriptor boundless;
  boundless.rank = 0xffffffffU;
  EXPECT_EQ(GetRefusal({LayerType::kExpand, boundless, {info}, info}),
            "rank 4294967295 is more than 8");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
