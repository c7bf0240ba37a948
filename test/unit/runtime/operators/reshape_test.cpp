#include "operators/infer.hpp"

namespace backplane {
namespace {

ReshapeDescriptor ToReshape(const TensorShape& shape) {
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) descriptor.dims[axis] = shape[axis];
  return descriptor;
}

TEST(Reshape, GivesTheWantedShape) {
  EXPECT_EQ(Infer<LayerType::kReshape>(ToReshape({6}), {Float({2, 3})}), Float({6}));
  EXPECT_EQ(Infer<LayerType::kReshape>(ToReshape({}), {Float({1, 1})}), Float({}));
  EXPECT_EQ(Infer<LayerType::kReshape>(ToReshape({0, 9}), {Float({3, 0})}), Float({0, 9}));
  EXPECT_EQ(Infer<LayerType::kReshape>(ToReshape({4}), {Quantized({2, 2})}), Quantized({4}));
}

TEST(Reshape, RejectsAnotherNumberOfElements) {
  ExpectRefused<LayerType::kReshape>(ToReshape({7}), {Float({2, 3})}, DiagnosticCode::kWrongShape,
                                     "float32 [2, 3] to be reshaped to [7]", "6 elements");
}

TEST(Reshape, RejectsNegativeExtent) {
  ExpectRefused<LayerType::kReshape>(ToReshape({-1}), {Float({6})},
                                     DiagnosticCode::kInvalidDescriptor, "[-1]", "0 or more");
}

TEST(Reshape, RejectsRankBeyondTheHighest) {
  ReshapeDescriptor descriptor;
  descriptor.rank = 9;
  ExpectRefused<LayerType::kReshape>(descriptor, {Float({1})}, DiagnosticCode::kInvalidDescriptor,
                                     "rank 9", "at most 8");
}

TEST(Reshape, RejectsShapeThatOverflows) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  ExpectRefused<LayerType::kReshape>(ToReshape({kHuge, 4}), {Float({0})},
                                     DiagnosticCode::kWrongShape, "[4611686018427387904, 4]",
                                     "0 elements");
}

TEST(Reshape, RejectsQuantizationAlongAnAxis) {
  TensorInfo info({2, 2}, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  ExpectRefused<LayerType::kReshape>(ToReshape({4}), {info}, DiagnosticCode::kWrongDataType,
                                     "with 2 scales", "one scale");
}

}  // namespace
}  // namespace backplane
