#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo MakeLogicalBinary(const TensorShape& shape) {
  return Typed(DataType::kBool, shape);
}

TEST(LogicalBinary, Broadcasts) {
  EXPECT_EQ(Infer<LayerType::kLogicalBinary>(
                {}, {MakeLogicalBinary({2, 1, 4}), MakeLogicalBinary({3, 1})}),
            MakeLogicalBinary({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kLogicalBinary>({}, {MakeLogicalBinary({}), MakeLogicalBinary({5})}),
            MakeLogicalBinary({5}));
  EXPECT_EQ(
      Infer<LayerType::kLogicalBinary>({}, {MakeLogicalBinary({0, 3}), MakeLogicalBinary({1, 3})}),
      MakeLogicalBinary({0, 3}));
}

TEST(LogicalBinary, RejectsUnknownOperation) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = LogicalOperation{4};
  ExpectRefused<LayerType::kLogicalBinary>(
      descriptor, {MakeLogicalBinary({1}), MakeLogicalBinary({1})},
      DiagnosticCode::kInvalidDescriptor, "number 4", "And, Or or Xor");
}

TEST(LogicalBinary, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kLogicalBinary>({}, {MakeLogicalBinary({2, 3}), MakeLogicalBinary({2})},
                                           DiagnosticCode::kWrongShape, "[2, 3] and [2]",
                                           "equal or 1");
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
