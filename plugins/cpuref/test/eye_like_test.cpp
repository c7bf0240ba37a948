#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<float> MakeEye(std::int64_t diagonal, const TensorShape& shape) {
  EyeLikeDescriptor descriptor;
  descriptor.diagonal = diagonal;
  return RunLayer(LayerType::kEyeLike, descriptor, {FloatTensor(shape)}, shape);
}

using Row = std::vector<float>;

TEST(EyeLike, HasOnesOnTheDiagonal) {
  EXPECT_EQ(MakeEye(0, {2, 3}), (Row{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(MakeEye(1, {2, 3}), (Row{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(MakeEye(2, {2, 3}), (Row{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(MakeEye(-1, {2, 3}), (Row{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(MakeEye(-1, {3, 2}), (Row{0, 0, 1, 0, 0, 1}));
}

TEST(EyeLike, HasNoneWhereTheDiagonalIsOutside) {
  for (const std::int64_t diagonal : {std::int64_t{3}, std::int64_t{-2}, kMost, kLeast}) {
    EXPECT_EQ(MakeEye(diagonal, {2, 3}), Row(6, 0.0F));
  }
}

TEST(EyeLike, RefusesWhatDoesNotFit) {
  const TensorInfo matrix({2, 2}, DataType::kFloat32);
  EyeLikeDescriptor descriptor;
  descriptor.data_type = DataType::kInt8;
  EXPECT_EQ(GetRefusal({LayerType::kEyeLike, descriptor, {matrix}, matrix}),
            "data type float32 of the output is not supported, only int8, which the descriptor "
            "states");
  const TensorInfo row({2}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kEyeLike, EyeLikeDescriptor(), {row}, row}),
            "input 0 has shape [2], but must have rank 2");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
