#include "operators/infer.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
ExpandDescriptor ToExpand(const std::vector<std::int64_t>& dims) {
  ExpandDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(dims.size());
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), kMaxRank), descriptor.dims);
  return descriptor;
}

TEST(Expand, GivesTheWantedShape) {
  EXPECT_EQ(Infer<LayerType::kExpand>(ToExpand({2, 3, 4}), {Float({3, 1})}), Float({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kExpand>(ToExpand({}), {Float({})}), Float({}));
  EXPECT_EQ(Infer<LayerType::kExpand>(ToExpand({0, 3}), {Float({1, 3})}), Float({0, 3}));
}

TEST(Expand, TakesScalesAlong) {
  EXPECT_EQ(Infer<LayerType::kExpand>(ToExpand({5, 3, 2}), {PerAxis({3, 1}, 0)}),
            PerAxis({5, 3, 2}, 1));
}

TEST(Expand, RejectsWhatDoesNotBroadcastToTheWantedShape) {
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{3}, {4, 1}, {2}, {0}}) {
    ExpectRefused<LayerType::kExpand>(ToExpand(dims), {Float({4, 3})}, DiagnosticCode::kWrongShape,
                                      "float32 [4, 3]", "equal to those wanted, or 1");
  }
}

TEST(Expand, RejectsIncompleteShapesAndShapesThatAreTooLarge) {
  ExpectRefused<LayerType::kExpand>(ToExpand({-1, 3}), {Float({3})}, kInvalid, "[-1, 3]",
                                    "0 or more");
  ExpectRefused<LayerType::kExpand>(ToExpand(std::vector<std::int64_t>(9, 1)), {Float({})},
                                    kInvalid, "rank 9", "at most 8");
  ExpectRefused<LayerType::kExpand>(ToExpand({kMost, kMost}), {Float({})},
                                    DiagnosticCode::kTensorTooLarge, "9223372036854775807",
                                    "63 bits");
}

}  // namespace
}  // namespace backplane
