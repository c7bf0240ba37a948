#include "operators/infer.hpp"

namespace backplane {
namespace {

FloatClassificationDescriptor DetectNaN() {
  FloatClassificationDescriptor descriptor;
  descriptor.detect_nan = 1;
  return descriptor;
}

TEST(FloatClassification, GivesBoolOfTheSameShape) {
  for (const TensorShape& shape : {TensorShape{2, 3}, TensorShape{}, TensorShape{0, 5}}) {
    EXPECT_EQ(Infer<LayerType::kFloatClassification>(DetectNaN(), {Float(shape)}),
              Typed(DataType::kBool, shape));
  }
}

TEST(FloatClassification, RejectsFlagsThatAreNeither) {
  auto descriptor = DetectNaN();
  descriptor.detect_negative_infinity = 2;
  ExpectRefused<LayerType::kFloatClassification>(descriptor, {Float({1})},
                                                 DiagnosticCode::kInvalidDescriptor, "2", "0 or 1");
}

TEST(FloatClassification, RejectsWhatIsNeverNaN) {
  ExpectRefused<LayerType::kFloatClassification>(DetectNaN(), {Typed(DataType::kInt32, {1})},
                                                 DiagnosticCode::kWrongDataType, "int32 [1]",
                                                 "float32");
  ExpectRefused<LayerType::kFloatClassification>(DetectNaN(), {Quantized({1})},
                                                 DiagnosticCode::kWrongDataType, "quantized int8",
                                                 "not quantized");
}

}  // namespace
}  // namespace backplane
