#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<float> TakeTriangularPart(Triangle part, std::int64_t diagonal,
                                      const FloatTensor& input) {
  TriangularPartDescriptor descriptor;
  descriptor.part = part;
  descriptor.diagonal = diagonal;
  return RunLayer(LayerType::kTriangularPart, descriptor, {input}, input.shape);
}

const FloatTensor kTriangularPartMatrix = {{2, 3}, {1, 2, 3, 4, 5, 6}};
using Row = std::vector<float>;

TEST(TriangularPart, KeepsTheDiagonal) {
  EXPECT_EQ(TakeTriangularPart(Triangle::kUpper, 0, kTriangularPartMatrix),
            (Row{1, 2, 3, 0, 5, 6}));
  EXPECT_EQ(TakeTriangularPart(Triangle::kLower, 0, kTriangularPartMatrix),
            (Row{1, 0, 0, 4, 5, 0}));
  EXPECT_EQ(TakeTriangularPart(Triangle::kUpper, 1, kTriangularPartMatrix),
            (Row{0, 2, 3, 0, 0, 6}));
  EXPECT_EQ(TakeTriangularPart(Triangle::kLower, -1, kTriangularPartMatrix),
            (Row{0, 0, 0, 4, 0, 0}));
}

TEST(TriangularPart, KeepsAllOrNothingFarAway) {
  const Row nothing(6, 0.0F);
  for (const std::int64_t far : {kMost, std::int64_t{3}}) {
    EXPECT_EQ(TakeTriangularPart(Triangle::kUpper, far, kTriangularPartMatrix), nothing);
    EXPECT_EQ(TakeTriangularPart(Triangle::kLower, far, kTriangularPartMatrix),
              kTriangularPartMatrix.data);
  }
  for (const std::int64_t far : {kLeast, std::int64_t{-2}}) {
    EXPECT_EQ(TakeTriangularPart(Triangle::kUpper, far, kTriangularPartMatrix),
              kTriangularPartMatrix.data);
    EXPECT_EQ(TakeTriangularPart(Triangle::kLower, far, kTriangularPartMatrix), nothing);
  }
}

TEST(TriangularPart, ReplacesInfinityAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(TakeTriangularPart(Triangle::kLower, 0, {{2, 2}, {1, infinity, 3, 4}}),
            (Row{1, 0, 3, 4}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(TakeTriangularPart(Triangle::kUpper, 0, {{2, 2}, {1, 2, nan, 4}}), (Row{1, 2, 0, 4}));
}

TEST(TriangularPart, RefusesWhatIsNoMatrix) {
  const TensorInfo info({3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kTriangularPart, TriangularPartDescriptor(), {info}, info}),
            "input 0 has shape [3], but must have rank 2 or more");
  TriangularPartDescriptor descriptor;
  descriptor.part = static_cast<Triangle>(3);
  const TensorInfo matrix({3, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kTriangularPart, descriptor, {matrix}, matrix}),
            "part 3 is not supported, only Upper (1) and Lower (2)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
