#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo Make(const TensorShape& shape) {
  return Typed(DataType::kUInt16, shape);
}

TEST(BitwiseBinary, Broadcasts) {
  EXPECT_EQ(Infer<LayerType::kBitwiseBinary>({}, {Make({2, 1, 4}), Make({3, 1})}), Make({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kBitwiseBinary>({}, {Make({}), Make({5})}), Make({5}));
  EXPECT_EQ(Infer<LayerType::kBitwiseBinary>({}, {Make({0, 3}), Make({1, 3})}), Make({0, 3}));
}

TEST(BitwiseBinary, RejectsUnknownOperation) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = BitwiseOperation{6};
  ExpectRefused<LayerType::kBitwiseBinary>(descriptor, {Make({1}), Make({1})},
                                           DiagnosticCode::kInvalidDescriptor, "number 6",
                                           "ShiftRight");
}

TEST(BitwiseBinary, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kBitwiseBinary>(
      {}, {Make({2, 3}), Make({2})}, DiagnosticCode::kWrongShape, "[2, 3] and [2]", "equal or 1");
}

TEST(BitwiseBinary, RejectsOtherTypes) {
  ExpectRefused<LayerType::kBitwiseBinary>(
      {}, {Float({2}), Float({2})}, DiagnosticCode::kWrongDataType, "[2]", "uint64; not quantized");
  ExpectRefused<LayerType::kBitwiseBinary>({}, {Quantized({2}), Quantized({2})},
                                           DiagnosticCode::kWrongDataType, "quantized int8 [2]",
                                           "not quantized");
}

}  // namespace
}  // namespace backplane
