#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
ScatterElementsDescriptor AlongScatterElements(
    std::uint32_t axis, ScatterReduction reduction = ScatterReduction::kNone) {
  ScatterElementsDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.reduction = reduction;
  return descriptor;
}

TEST(ScatterElements, HasTheShapeOfItsInput) {
  EXPECT_EQ(Infer<LayerType::kScatterElements>(AlongScatterElements(1),
                                               {Float({2, 3}), Indices({1, 7}), Float({1, 7})}),
            Float({2, 3}));
  EXPECT_EQ(Infer<LayerType::kScatterElements>(AlongScatterElements(0, ScatterReduction::kMin),
                                               {Float({0}), Indices({2}), Float({2})}),
            Float({0}));
}

TEST(ScatterElements, KeepsScalesAlongAnotherAxis) {
  EXPECT_EQ(Infer<LayerType::kScatterElements>(
                AlongScatterElements(1), {PerAxis({2, 3}, 0), Indices({2, 7}), PerAxis({2, 7}, 0)}),
            PerAxis({2, 3}, 0));
  ExpectRefused<LayerType::kScatterElements>(
      AlongScatterElements(0), {PerAxis({2, 3}, 0), Indices({2, 3}), PerAxis({2, 3}, 0)},
      DiagnosticCode::kWrongDataType, "along axis 0", "one scale");
}

TEST(ScatterElements, CalculatesOnlyWithNumbers) {
  const TensorInfo info = Typed(DataType::kBool, {2});
  EXPECT_EQ(Infer<LayerType::kScatterElements>(AlongScatterElements(0),
                                               {info, Indices({1}), Typed(DataType::kBool, {1})}),
            info);
  ExpectRefused<LayerType::kScatterElements>(AlongScatterElements(0, ScatterReduction::kAdd),
                                             {info, Indices({1}), Typed(DataType::kBool, {1})},
                                             DiagnosticCode::kWrongDataType, "bool [2]", "float32");
}

TEST(ScatterElements, RejectsUpdatesAndIndicesThatDoNotFit) {
  ExpectRefused<LayerType::kScatterElements>(
      AlongScatterElements(1), {Float({2, 3}), Indices({2, 2}), Float({2, 3})},
      DiagnosticCode::kWrongShape, "float32 [2, 3]", "the shape [2, 2]");
  ExpectRefused<LayerType::kScatterElements>(
      AlongScatterElements(1), {Float({2, 3}), Indices({3, 1}), Float({3, 1})},
      DiagnosticCode::kWrongShape, "extent 3 at axis 0", "at most 2");
  ExpectRefused<LayerType::kScatterElements>(
      AlongScatterElements(0, static_cast<ScatterReduction>(6)),
      {Float({2}), Indices({2}), Float({2})}, kInvalid, "number 6", "None, Add, Mul, Max or Min");
}

}  // namespace
}  // namespace backplane
