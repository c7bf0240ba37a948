#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo Make(const TensorShape& shape) {
  return Typed(DataType::kBool, shape);
}

TEST(LogicalBinary, Broadcasts) {
  EXPECT_EQ(Infer<LayerType::kLogicalBinary>({}, {Make({2, 1, 4}), Make({3, 1})}), Make({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kLogicalBinary>({}, {Make({}), Make({5})}), Make({5}));
  EXPECT_EQ(Infer<LayerType::kLogicalBinary>({}, {Make({0, 3}), Make({1, 3})}), Make({0, 3}));
}

TEST(LogicalBinary, RejectsUnknownOperation) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = LogicalOperation{4};
  ExpectRefused<LayerType::kLogicalBinary>(descriptor, {Make({1}), Make({1})},
                                           DiagnosticCode::kInvalidDescriptor, "number 4",
                                           "And, Or or Xor");
}

TEST(LogicalBinary, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kLogicalBinary>(
      {}, {Make({2, 3}), Make({2})}, DiagnosticCode::kWrongShape, "[2, 3] and [2]", "equal or 1");
}

TEST(LogicalBinary, RejectsOtherTypes) {
  ExpectRefused<LayerType::kLogicalBinary>(
      {}, {Typed(DataType::kUInt8, {2}), Typed(DataType::kUInt8, {2})},
      DiagnosticCode::kWrongDataType, "[2]", "expected bool; not quantized");
  ExpectRefused<LayerType::kLogicalBinary>({}, {Quantized({2}), Quantized({2})},
                                           DiagnosticCode::kWrongDataType, "quantized int8 [2]",
                                           "not quantized");
}

}  // namespace
}  // namespace backplane
