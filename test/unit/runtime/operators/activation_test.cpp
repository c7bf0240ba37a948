#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

ActivationDescriptor MakeActivation(ActivationFunction function) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  return descriptor;
}

TEST(Activation, KeepsShapeAndType) {
  const auto relu = MakeActivation(ActivationFunction::kRelu);
  EXPECT_EQ(Infer<LayerType::kActivation>(relu, {Float({2, 3})}), Float({2, 3}));
  EXPECT_EQ(Infer<LayerType::kActivation>(relu, {Float({})}), Float({}));
  EXPECT_EQ(Infer<LayerType::kActivation>(relu, {Float({0, 5})}), Float({0, 5}));
  EXPECT_EQ(Infer<LayerType::kActivation>(relu, {Typed(DataType::kInt32, {2})}),
            Typed(DataType::kInt32, {2}));
  EXPECT_EQ(Infer<LayerType::kActivation>(MakeActivation(ActivationFunction::kSigmoid),
                                          {Typed(DataType::kFloat16, {2})}),
            Typed(DataType::kFloat16, {2}));
}

TEST(Activation, RejectsUnknownFunction) {
  ExpectRefused<LayerType::kActivation>(MakeActivation(ActivationFunction{99}), {Float({1})},
                                        DiagnosticCode::kInvalidDescriptor, "number 99",
                                        "1 (Relu) to 19 (Linear)");
}

TEST(Activation, RejectsTypesItCannotCalculateOn) {
  ExpectRefused<LayerType::kActivation>(
      MakeActivation(ActivationFunction::kRelu), {Typed(DataType::kBool, {1})},
      DiagnosticCode::kWrongDataType, "bool [1]", "int64, uint64");
  ExpectRefused<LayerType::kActivation>(MakeActivation(ActivationFunction::kSigmoid),
                                        {Typed(DataType::kInt32, {1})},
                                        DiagnosticCode::kWrongDataType, "int32 [1]", "float32");
  ExpectRefused<LayerType::kActivation>(MakeActivation(ActivationFunction::kRelu), {Quantized({1})},
                                        DiagnosticCode::kWrongDataType, "quantized int8 [1]",
                                        "no scale stated");
}

TEST(Activation, CeluDoesNotDivideByZero) {
  auto celu = MakeActivation(ActivationFunction::kCelu);
  celu.alpha = 0.0F;
  ExpectRefused<LayerType::kActivation>(celu, {Float({1})}, DiagnosticCode::kInvalidDescriptor,
                                        "alpha 0", "another number");
}

TEST(Activation, OnlySomeFunctionsAreDefinedOfIntegers) {
  const TensorInfo integers = Typed(DataType::kUInt16, {3});
  for (const ActivationFunction function :
       {ActivationFunction::kRelu, ActivationFunction::kBoundedRelu, ActivationFunction::kShrink}) {
    EXPECT_EQ(Infer<LayerType::kActivation>(MakeActivation(function), {integers}), integers);
  }
  for (const ActivationFunction function :
       {ActivationFunction::kThresholdedRelu, ActivationFunction::kLinear}) {
    ExpectRefused<LayerType::kActivation>(MakeActivation(function), {integers},
                                          DiagnosticCode::kWrongDataType, "uint16 [3]", "float32");
  }
}

TEST(Activation, RejectsBoundsThatAreExchangedOrNoNumbers) {
  auto bounded = MakeActivation(ActivationFunction::kBoundedRelu);
  bounded.alpha = 0.0F;
  bounded.beta = 6.0F;
  ExpectRefused<LayerType::kActivation>(bounded, {Float({1})}, DiagnosticCode::kInvalidDescriptor,
                                        "lower bound beta 6", "beta <= alpha");
  bounded.alpha = std::numeric_limits<float>::quiet_NaN();
  ExpectRefused<LayerType::kActivation>(bounded, {Float({1})}, DiagnosticCode::kInvalidDescriptor,
                                        "alpha nan", "expected numbers");
}

}  // namespace
}  // namespace backplane
