#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
TEST(ScatterNd, HasTheShapeOfItsInput) {
  EXPECT_EQ(Infer<LayerType::kScatterNd>(ScatterNdDescriptor(),
                                         {Float({2, 3, 4}), Indices({5, 2}), Float({5, 4})}),
            Float({2, 3, 4}));
  EXPECT_EQ(
      Infer<LayerType::kScatterNd>(ScatterNdDescriptor(), {Float({2}), Indices({1}), Float({})}),
      Float({2}));
}

TEST(ScatterNd, KeepsScalesThatTheUpdatesHaveToo) {
  EXPECT_EQ(Infer<LayerType::kScatterNd>(ScatterNdDescriptor(),
                                         {PerAxis({2, 3}, 1), Indices({4, 1}), PerAxis({4, 3}, 1)}),
            PerAxis({2, 3}, 1));
  ExpectRefused<LayerType::kScatterNd>(ScatterNdDescriptor(),
                                       {PerAxis({3, 3}, 0), Indices({3, 1}), PerAxis({3, 3}, 0)},
                                       DiagnosticCode::kWrongDataType, "along axis 0", "one scale");
}

TEST(ScatterNd, RejectsUpdatesAndPositionsThatDoNotFit) {
  ExpectRefused<LayerType::kScatterNd>(
      ScatterNdDescriptor(), {Float({2, 3}), Indices({5, 1}), Float({5, 2})},
      DiagnosticCode::kWrongShape, "float32 [5, 2]", "the shape [5, 3]");
  ExpectRefused<LayerType::kScatterNd>(
      ScatterNdDescriptor(), {Float({2}), Indices({5, 2}), Float({5})}, DiagnosticCode::kWrongShape,
      "positions of 2 indices", "at most 1");
  ScatterNdDescriptor unknown;
  unknown.reduction = static_cast<ScatterReduction>(0);
  ExpectRefused<LayerType::kScatterNd>(unknown, {Float({2}), Indices({5, 1}), Float({5})}, kInvalid,
                                       "number 0", "None, Add, Mul, Max or Min");
}

}  // namespace
}  // namespace backplane
