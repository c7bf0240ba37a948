#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
GatherNdDescriptor Batch(std::uint32_t dims) {
  GatherNdDescriptor descriptor;
  descriptor.batch_dims = dims;
  return descriptor;
}

TEST(GatherNd, GivesElementsOrSlicesForPositions) {
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(0), {Float({2, 3, 4}), Indices({5, 3})}), Float({5}));
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(0), {Float({2, 3, 4}), Indices({6, 5, 1})}),
            Float({6, 5, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(1), {Float({2, 3, 4}), Indices({2, 1})}),
            Float({2, 4}));
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(0), {Float({2}), Indices({7, 0})}), Float({7, 2}));
}

TEST(GatherNd, TakesScalesAlong) {
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(0), {PerAxis({2, 3}, 1), Indices({4, 5, 1})}),
            PerAxis({4, 5, 3}, 2));
  EXPECT_EQ(Infer<LayerType::kGatherNd>(Batch(1), {PerAxis({2, 3}, 0), Indices({2, 1})}),
            PerAxis({2}, 0));
  ExpectRefused<LayerType::kGatherNd>(Batch(0), {PerAxis({2, 3}, 0), Indices({1})},
                                      DiagnosticCode::kWrongDataType, "along axis 0", "one scale");
}

TEST(GatherNd, RejectsPositionsThatDoNotFit) {
  ExpectRefused<LayerType::kGatherNd>(Batch(0), {Float({2, 3}), Indices({5, 3})},
                                      DiagnosticCode::kWrongShape, "positions of 3 indices",
                                      "at most 2");
  ExpectRefused<LayerType::kGatherNd>(Batch(0), {Float({0, 3}), Indices({5, 1})},
                                      DiagnosticCode::kWrongShape, "extent 0 at axis 0",
                                      "1 or more");
  ExpectRefused<LayerType::kGatherNd>(Batch(0), {Float({2, 3}), Indices({})},
                                      DiagnosticCode::kWrongRank, "int64 []", "rank 1 or more");
}

TEST(GatherNd, RejectsBatchesThatDoNotFit) {
  ExpectRefused<LayerType::kGatherNd>(Batch(2), {Float({2, 3}), Indices({2, 1})}, kInvalid,
                                      "found 2", "at most 1");
  ExpectRefused<LayerType::kGatherNd>(Batch(1), {Float({2, 3}), Indices({4, 1})},
                                      DiagnosticCode::kWrongShape, "extent 4 at axis 0",
                                      "expected 2");
}

}  // namespace
}  // namespace backplane
