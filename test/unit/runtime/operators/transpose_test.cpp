#include "operators/infer.hpp"

#include <algorithm>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
TransposeDescriptor Order(const std::vector<std::uint32_t>& axes) {
  TransposeDescriptor descriptor;
  std::copy(axes.begin(), axes.end(), descriptor.permutation);
  return descriptor;
}

TEST(Transpose, PutsTheAxesIntoOrder) {
  EXPECT_EQ(Infer<LayerType::kTranspose>(Order({0, 2, 3, 1}), {Float({1, 2, 3, 4})}),
            Float({1, 3, 4, 2}));
  EXPECT_EQ(Infer<LayerType::kTranspose>(Order({7}), {Float({})}), Float({}));
  EXPECT_EQ(Infer<LayerType::kTranspose>(Order({1, 0}), {Float({0, 3})}), Float({3, 0}));
}

TEST(Transpose, TakesScalesAlong) {
  EXPECT_EQ(Infer<LayerType::kTranspose>(Order({2, 0, 1}), {PerAxis({2, 3, 4}, 0)}),
            PerAxis({4, 2, 3}, 1));
}

TEST(Transpose, RejectsWhatIsNoPermutation) {
  ExpectRefused<LayerType::kTranspose>(Order({0, 0}), {Float({2, 2})}, kInvalid, "(0, 0)",
                                       "each axis from 0 to 1 once");
  ExpectRefused<LayerType::kTranspose>(Order({1, 2}), {Float({2, 2})}, kInvalid, "(1, 2)",
                                       "each axis from 0 to 1 once");
}

}  // namespace
}  // namespace backplane
