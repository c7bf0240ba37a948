#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

ConcatDescriptor AlongConcat(std::uint32_t axis) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

TEST(Concat, AddsExtentsOfItsAxis) {
  EXPECT_EQ(
      Infer<LayerType::kConcat>(AlongConcat(1), {Float({2, 3}), Float({2, 0}), Float({2, 4})}),
      Float({2, 7}));
  EXPECT_EQ(Infer<LayerType::kConcat>(AlongConcat(0), {Typed(DataType::kBool, {3})}),
            Typed(DataType::kBool, {3}));
}

TEST(Concat, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kConcat>(AlongConcat(2), {Float({2, 3})},
                                    DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(Concat, RejectsOtherExtentsThatDiffer) {
  ExpectRefused<LayerType::kConcat>(AlongConcat(1), {Float({2, 3}), Float({5, 3})},
                                    DiagnosticCode::kWrongShape, "extent 5 at axis 0", "2,");
}

TEST(Concat, RejectsRanksThatDiffer) {
  ExpectRefused<LayerType::kConcat>(AlongConcat(0), {Float({2, 3}), Float({2})},
                                    DiagnosticCode::kWrongRank, "float32 [2] as input 1", "rank 2");
}

TEST(Concat, RejectsTypesThatDiffer) {
  ExpectRefused<LayerType::kConcat>(AlongConcat(0), {Float({2}), Typed(DataType::kInt8, {2})},
                                    DiagnosticCode::kWrongDataType, "int8 [2]", "float32");
}

TEST(Concat, KeepsEqualQuantizationAndRejectsOthers) {
  EXPECT_EQ(Infer<LayerType::kConcat>(AlongConcat(0), {Quantized({2}), Quantized({3})}),
            Quantized({5}));
  TensorInfo other = Quantized({2});
  other.quantization.scales = {0.25F};
  ExpectRefused<LayerType::kConcat>(AlongConcat(0), {Quantized({2}), other},
                                    DiagnosticCode::kWrongDataType, "int8 [2]",
                                    "the quantization of input 0");
}

TEST(Concat, RejectsQuantizationAlongItsAxis) {
  TensorInfo info({2, 3}, DataType::kInt8);
  info.quantization.scales = {0.5F, 0.25F};
  ExpectRefused<LayerType::kConcat>(AlongConcat(0), {info, info}, DiagnosticCode::kWrongDataType,
                                    "quantized along axis 0", "scales along another axis");
  EXPECT_EQ(Infer<LayerType::kConcat>(AlongConcat(1), {info, info}).quantization,
            info.quantization);
}

TEST(Concat, RejectsSumThatOverflows) {
  ExpectRefused<LayerType::kConcat>(
      AlongConcat(0), {Typed(DataType::kInt8, {kMost}), Typed(DataType::kInt8, {kMost})},
      DiagnosticCode::kTensorTooLarge, "beyond 63 bits", "fits 63 bits");
}

}  // namespace
}  // namespace backplane
