#include "operators/infer.hpp"

namespace backplane {
namespace {

MeanVarianceNormalizationDescriptor OverMeanVarianceNormalization(
    const std::vector<std::uint32_t>& axes) {
  MeanVarianceNormalizationDescriptor descriptor;
  for (const std::uint32_t axis : axes) descriptor.axes[descriptor.num_axes++] = axis;
  return descriptor;
}

TEST(MeanVarianceNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kMeanVarianceNormalization;
  EXPECT_EQ(Infer<kType>(OverMeanVarianceNormalization({0, 2, 3}), {Float({2, 3, 4, 5})}),
            Float({2, 3, 4, 5}));
  EXPECT_EQ(Infer<kType>(OverMeanVarianceNormalization({1, 0}), {Float({2, 0})}), Float({2, 0}));
  EXPECT_EQ(Infer<kType>(OverMeanVarianceNormalization({}), {Float({})}), Float({}));
}

TEST(MeanVarianceNormalization, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kMeanVarianceNormalization>(
      OverMeanVarianceNormalization({0, 2}), {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor,
      "axis 2", "less than 2");
}

TEST(MeanVarianceNormalization, RejectsAxisTwice) {
  ExpectRefused<LayerType::kMeanVarianceNormalization>(
      OverMeanVarianceNormalization({1, 1}), {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor,
      "axis 1 more than once", "different axes");
}

TEST(MeanVarianceNormalization, RejectsMoreAxesThanADescriptorHolds) {
  MeanVarianceNormalizationDescriptor descriptor;
  descriptor.num_axes = kMaxRank + 1;
  ExpectRefused<LayerType::kMeanVarianceNormalization>(
      descriptor, {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor, "found 9", "at most 8");
}

TEST(MeanVarianceNormalization, RejectsNegativeEpsilon) {
  MeanVarianceNormalizationDescriptor descriptor;
  descriptor.epsilon = -1.0F;
  ExpectRefused<LayerType::kMeanVarianceNormalization>(
      descriptor, {Float({2})}, DiagnosticCode::kInvalidDescriptor, "found -1", "0 or more");
}

}  // namespace
}  // namespace backplane
