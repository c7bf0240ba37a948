#include "operators/infer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
PadDescriptor DescribePad(PaddingMode mode, const std::vector<std::int64_t>& begin,
                          const std::vector<std::int64_t>& end) {
  PadDescriptor descriptor;
  descriptor.mode = mode;
  std::copy(begin.begin(), begin.end(), descriptor.pads_begin);
  std::copy(end.begin(), end.end(), descriptor.pads_end);
  return descriptor;
}

TEST(Pad, AddsAndTakesAway) {
  const PadDescriptor descriptor = DescribePad(PaddingMode::kConstant, {1, -2}, {3, 1});
  EXPECT_EQ(Infer<LayerType::kPad>(descriptor, {Float({2, 5})}), Float({6, 4}));
  EXPECT_EQ(Infer<LayerType::kPad>(descriptor, {Float({2, 5}), Float({})}), Float({6, 4}));
  EXPECT_EQ(Infer<LayerType::kPad>(PadDescriptor(), {Float({})}), Float({}));
}

TEST(Pad, FillsAnEmptyTensorWithTheConstant) {
  EXPECT_EQ(Infer<LayerType::kPad>(DescribePad(PaddingMode::kConstant, {2}, {1}), {Float({0})}),
            Float({3}));
}

TEST(Pad, ReflectsUpToOneLessThanThereIs) {
  EXPECT_EQ(Infer<LayerType::kPad>(DescribePad(PaddingMode::kReflect, {2}, {2}), {Float({3})}),
            Float({7}));
  ExpectRefused<LayerType::kPad>(DescribePad(PaddingMode::kReflect, {3}, {0}), {Float({3})},
                                 kInvalid, "extent 3 with padding 3 and 0 at axis 0", "at most 2");
  // Two elements are taken away first.
  ExpectRefused<LayerType::kPad>(DescribePad(PaddingMode::kReflect, {-2}, {1}), {Float({3})},
                                 kInvalid, "extent 3 with padding -2 and 1", "at most 0");
}

TEST(Pad, RejectsRepeatingTheEdgeOfNothing) {
  ExpectRefused<LayerType::kPad>(DescribePad(PaddingMode::kEdge, {1}, {0}), {Float({0})},
                                 DiagnosticCode::kWrongShape, "extent 0", "at least one element");
  EXPECT_EQ(
      Infer<LayerType::kPad>(DescribePad(PaddingMode::kEdge, {0, 1}, {0, 0}), {Float({0, 1})}),
      Float({0, 2}));
}

TEST(Pad, RejectsTakingMoreThanThereIs) {
  for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>{-4, 0},
                                   {0, -4},
                                   {-2, -2},
                                   {-kMost - 1, -kMost - 1},
                                   {-kMost, kMost}}) {
    ExpectRefused<LayerType::kPad>(
        DescribePad(PaddingMode::kConstant, {begin}, {end}), {Float({3})}, kInvalid,
        std::to_string(begin) + " and " + std::to_string(end), "at most 3 elements");
  }
}

TEST(Pad, RejectsSumsBeyond63Bits) {
  ExpectRefused<LayerType::kPad>(DescribePad(PaddingMode::kConstant, {kMost}, {1}), {Float({0})},
                                 DiagnosticCode::kTensorTooLarge, "at axis 0", "63 bits");
}

TEST(Pad, KeepsScalesAlongAnAxisThatIsNotPadded) {
  const PadDescriptor descriptor = DescribePad(PaddingMode::kConstant, {0, 1}, {0, 1});
  EXPECT_EQ(Infer<LayerType::kPad>(descriptor, {PerAxis({2, 3}, 0)}), PerAxis({2, 5}, 0));
  ExpectRefused<LayerType::kPad>(descriptor, {PerAxis({2, 3}, 1)}, DiagnosticCode::kWrongDataType,
                                 "along axis 1", "one scale");
}

TEST(Pad, RejectsUnknownModeAndValueThatIsNoScalar) {
  ExpectRefused<LayerType::kPad>(DescribePad(static_cast<PaddingMode>(9), {1}, {1}), {Float({2})},
                                 kInvalid, "number 9", "Constant, Reflect or Edge");
  ExpectRefused<LayerType::kPad>(DescribePad(PaddingMode::kConstant, {1}, {1}),
                                 {Float({2}), Float({1})}, DiagnosticCode::kWrongRank,
                                 "float32 [1] as input 1", "rank 0");
}

}  // namespace
}  // namespace backplane
