#include "operators/infer.hpp"

#include <algorithm>

namespace backplane {
namespace {

constexpr auto kInvalid = DiagnosticCode::kInvalidDescriptor;

/// Quantized along an axis of `shape`.
TensorInfo PerAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorInfo info(shape, DataType::kInt8);
  info.quantization.scales.assign(static_cast<std::size_t>(shape[axis]), 0.5F);
  info.quantization.axis = static_cast<std::int32_t>(axis);
  return info;
}

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
