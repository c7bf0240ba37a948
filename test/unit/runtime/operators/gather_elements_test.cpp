#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
GatherElementsDescriptor AlongGatherElements(std::uint32_t axis) {
  GatherElementsDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

TEST(GatherElements, HasTheShapeOfTheIndices) {
  EXPECT_EQ(
      Infer<LayerType::kGatherElements>(AlongGatherElements(1), {Float({2, 3}), Indices({1, 7})}),
      Float({1, 7}));
  EXPECT_EQ(
      Infer<LayerType::kGatherElements>(AlongGatherElements(0), {Float({0, 3}), Indices({0, 2})}),
      Float({0, 2}));
}

TEST(GatherElements, KeepsScalesAlongAnotherAxisThatStaysWhole) {
  EXPECT_EQ(Infer<LayerType::kGatherElements>(AlongGatherElements(1),
                                              {PerAxis({2, 3}, 0), Indices({2, 7})}),
            PerAxis({2, 7}, 0));
  ExpectRefused<LayerType::kGatherElements>(
      AlongGatherElements(0), {PerAxis({2, 3}, 1), Indices({2, 2})}, DiagnosticCode::kWrongDataType,
      "along axis 1", "one scale");
}

TEST(GatherElements, RejectsIndicesThatDoNotFit) {
  ExpectRefused<LayerType::kGatherElements>(AlongGatherElements(0), {Float({2, 3}), Indices({2})},
                                            DiagnosticCode::kWrongRank, "int64 [2]", "rank 2");
  ExpectRefused<LayerType::kGatherElements>(
      AlongGatherElements(0), {Float({2, 3}), Indices({2, 4})}, DiagnosticCode::kWrongShape,
      "extent 4 at axis 1", "at most 3");
  ExpectRefused<LayerType::kGatherElements>(
      AlongGatherElements(0), {Float({0, 3}), Indices({1, 3})}, DiagnosticCode::kWrongShape,
      "extent 0 at axis 0", "1 or more");
  ExpectRefused<LayerType::kGatherElements>(
      AlongGatherElements(2), {Float({2, 3}), Indices({2, 3})}, kInvalid, "axis 2", "less than 2");
}

}  // namespace
}  // namespace backplane
