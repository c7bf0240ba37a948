#include "operators/infer.hpp"

namespace backplane {
namespace {

LayerNormalizationDescriptor FromLayerNormalization(std::uint32_t axis,
                                                    std::uint32_t num_outputs = 1) {
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.num_outputs = num_outputs;
  return descriptor;
}

using Infos = std::vector<TensorInfo>;

TEST(LayerNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kLayerNormalization;
  EXPECT_EQ(Infer<kType>(FromLayerNormalization(1), {Float({2, 3, 4}), Float({3, 4})}),
            Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>(FromLayerNormalization(2), {Float({2, 3, 4}), Float({4}), Float({4})}),
            Float({2, 3, 4}));
  EXPECT_EQ(Infer<kType>(FromLayerNormalization(0), {Float({0}), Float({0})}), Float({0}));
}

TEST(LayerNormalization, GivesStatisticsExtent1) {
  EXPECT_EQ(InferAll<LayerType::kLayerNormalization>(FromLayerNormalization(1, 3),
                                                     {Float({2, 3, 4}), Float({3, 4})}, 3),
            (Infos{Float({2, 3, 4}), Float({2, 1, 1}), Float({2, 1, 1})}));
}

TEST(LayerNormalization, StatisticsAreFloat32) {
  const TensorInfo input = Typed(DataType::kFloat16, {2, 3});
  const TensorInfo scale = Typed(DataType::kFloat16, {3});
  EXPECT_EQ(
      InferAll<LayerType::kLayerNormalization>(FromLayerNormalization(1, 2), {input, scale}, 2),
      (Infos{input, Float({2, 1})}));
}

TEST(LayerNormalization, RejectsNumbersOfOutputsThatItDoesNotHave) {
  for (const std::uint32_t num_outputs : {0U, 4U}) {
    ExpectRefused<LayerType::kLayerNormalization>(
        FromLayerNormalization(1, num_outputs), {Float({2, 3}), Float({3})},
        DiagnosticCode::kInvalidDescriptor, "found " + std::to_string(num_outputs), "1 to 3");
  }
}

TEST(LayerNormalization, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kLayerNormalization>(
      FromLayerNormalization(2), {Float({2, 3}), Float({3})}, DiagnosticCode::kInvalidDescriptor,
      "axis 2", "less than 2");
}

TEST(LayerNormalization, RejectsScalar) {
  ExpectRefused<LayerType::kLayerNormalization>(FromLayerNormalization(0), {Float({}), Float({})},
                                                DiagnosticCode::kWrongRank, "float32 []",
                                                "rank 1 or more");
}

TEST(LayerNormalization, RejectsParametersOfAnotherShape) {
  ExpectRefused<LayerType::kLayerNormalization>(
      FromLayerNormalization(1), {Float({2, 3, 4}), Float({4})}, DiagnosticCode::kWrongShape,
      "float32 [4] as input 1", "float32 [3, 4], the extents of input 0 from axis 1 on");
  ExpectRefused<LayerType::kLayerNormalization>(
      FromLayerNormalization(2), {Float({2, 3, 4}), Float({4}), Float({1})},
      DiagnosticCode::kWrongShape, "float32 [1] as input 2", "float32 [4]");
}

TEST(LayerNormalization, RejectsNegativeEpsilon) {
  LayerNormalizationDescriptor descriptor;
  descriptor.epsilon = -1.0F;
  ExpectRefused<LayerType::kLayerNormalization>(descriptor, {Float({2}), Float({2})},
                                                DiagnosticCode::kInvalidDescriptor, "found -1",
                                                "0 or more");
}

}  // namespace
}  // namespace backplane
