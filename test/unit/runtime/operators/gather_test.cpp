#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
GatherDescriptor AlongGather(std::uint32_t axis) {
  GatherDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

TEST(Gather, PutsTheAxesOfTheIndicesInPlaceOfTheAxis) {
  EXPECT_EQ(Infer<LayerType::kGather>(AlongGather(1), {Float({2, 3, 4}), Indices({5, 6})}),
            Float({2, 5, 6, 4}));
  EXPECT_EQ(Infer<LayerType::kGather>(AlongGather(0), {Float({3}), Indices({})}), Float({}));
  EXPECT_EQ(Infer<LayerType::kGather>(AlongGather(0), {Float({0, 4}), Indices({0})}),
            Float({0, 4}));
}

TEST(Gather, TakesScalesAlong) {
  EXPECT_EQ(Infer<LayerType::kGather>(AlongGather(0), {PerAxis({3, 4}, 1), Indices({2, 5})}),
            PerAxis({2, 5, 4}, 2));
  EXPECT_EQ(Infer<LayerType::kGather>(AlongGather(1), {PerAxis({3, 4}, 0), Indices({})}),
            PerAxis({3}, 0));
  ExpectRefused<LayerType::kGather>(AlongGather(1), {PerAxis({3, 4}, 1), Indices({2})},
                                    DiagnosticCode::kWrongDataType, "along axis 1", "one scale");
}

TEST(Gather, RejectsScalarAndAxisBehindRank) {
  ExpectRefused<LayerType::kGather>(AlongGather(0), {Float({}), Indices({1})},
                                    DiagnosticCode::kWrongRank, "float32 []", "rank 1 or more");
  ExpectRefused<LayerType::kGather>(AlongGather(1), {Float({3}), Indices({1})}, kInvalid, "axis 1",
                                    "less than 1");
}

TEST(Gather, RejectsIndicesOfNothing) {
  ExpectRefused<LayerType::kGather>(AlongGather(0), {Float({0, 4}), Indices({2})},
                                    DiagnosticCode::kWrongShape, "extent 0 at axis 0", "1 or more");
}

TEST(Gather, RejectsRankAboveTheHighest) {
  ExpectRefused<LayerType::kGather>(
      AlongGather(0), {Float({1, 1, 1, 1, 1}), Indices({1, 1, 1, 1, 1})},
      DiagnosticCode::kWrongRank, "int64 [1, 1, 1, 1, 1]", "at most 8");
}

TEST(Gather, RejectsIndicesOfAnotherType) {
  ExpectRefused<LayerType::kGather>(AlongGather(0), {Float({3}), Float({1})},
                                    DiagnosticCode::kWrongDataType, "float32 [1]", "int32, int64");
}

}  // namespace
}  // namespace backplane
