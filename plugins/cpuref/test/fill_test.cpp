#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

FillDescriptor ToFill(const TensorShape& shape) {
  FillDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, descriptor.dims);
  return descriptor;
}

TEST(Fill, RepeatsTheScalar) {
  EXPECT_EQ(RunLayer(LayerType::kFill, ToFill({2, 3}), {{{}, {4}}}, {2, 3}),
            std::vector<float>(6, 4));
  EXPECT_EQ(RunLayer(LayerType::kFill, ToFill({}), {{{}, {4}}}, {}), std::vector<float>{4});
  EXPECT_TRUE(RunLayer(LayerType::kFill, ToFill({0}), {{{}, {4}}}, {0}).empty());
}

TEST(Fill, RefusesWhatDoesNotFit) {
  const TensorInfo scalar({}, DataType::kFloat32);
  const TensorInfo pair({2}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kFill, ToFill({2}), {pair}, pair}),
            "input 0 has shape [2], but must have one element");
  EXPECT_EQ(GetRefusal({LayerType::kFill, ToFill({3}), {scalar}, pair}),
            "the output has shape [2], but the inputs give [3]");
  FillDescriptor boundless;
  boundless.rank = 9;
  EXPECT_EQ(GetRefusal({LayerType::kFill, boundless, {scalar}, pair}), "rank 9 is more than 8");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
