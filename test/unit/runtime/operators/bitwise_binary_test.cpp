#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo MakeBitwiseBinary(const TensorShape& shape) {
  return Typed(DataType::kUInt16, shape);
}

TEST(BitwiseBinary, Broadcasts) {
  EXPECT_EQ(Infer<LayerType::kBitwiseBinary>(
                {}, {MakeBitwiseBinary({2, 1, 4}), MakeBitwiseBinary({3, 1})}),
            MakeBitwiseBinary({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kBitwiseBinary>({}, {MakeBitwiseBinary({}), MakeBitwiseBinary({5})}),
            MakeBitwiseBinary({5}));
  EXPECT_EQ(
      Infer<LayerType::kBitwiseBinary>({}, {MakeBitwiseBinary({0, 3}), MakeBitwiseBinary({1, 3})}),
      MakeBitwiseBinary({0, 3}));
}

TEST(BitwiseBinary, RejectsUnknownOperation) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = BitwiseOperation{6};
  ExpectRefused<LayerType::kBitwiseBinary>(
      descriptor, {MakeBitwiseBinary({1}), MakeBitwiseBinary({1})},
      DiagnosticCode::kInvalidDescriptor, "number 6", "ShiftRight");
}

TEST(BitwiseBinary, RejectsExtentsThatDiffer) {
  ExpectRefused<LayerType::kBitwiseBinary>({}, {MakeBitwiseBinary({2, 3}), MakeBitwiseBinary({2})},
                                           DiagnosticCode::kWrongShape, "[2, 3] and [2]",
                                           "equal or 1");
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
