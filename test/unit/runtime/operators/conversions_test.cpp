#include "operators/infer.hpp"

namespace backplane {
namespace {

CastDescriptor CastTo(DataType type) {
  CastDescriptor descriptor;
  descriptor.to = type;
  return descriptor;
}

DequantizeDescriptor DequantizeTo(DataType type) {
  DequantizeDescriptor descriptor;
  descriptor.to = type;
  return descriptor;
}

QuantizationInfo Scales(const std::vector<float>& scales) {
  QuantizationInfo quantization;
  quantization.scales = scales;
  return quantization;
}

/// The first output of a layer whose type is stated.
template <LayerType kType>
TensorInfo InferStated(const TensorInfo& input, const std::vector<OutputType>& stated) {
  auto network = INetwork::Create("net");
  const OutputSlot slot = network->AddInputLayer(input, "in");
  const LayerId layer = AddLayer<kType>(*network, {}, {slot}, "layer", stated);
  return network->GetTensorInfo({layer, 0});
}

TEST(Cast, ChangesTheTypeAndKeepsTheShape) {
  EXPECT_EQ(Infer<LayerType::kCast>(CastTo(DataType::kBool), {Float({2, 0})}),
            Typed(DataType::kBool, {2, 0}));
  EXPECT_EQ(Infer<LayerType::kCast>(CastTo(DataType::kFloat16), {Typed(DataType::kBool, {})}),
            Typed(DataType::kFloat16, {}));
}

TEST(Cast, RejectsTypesThatAreNone) {
  ExpectRefused<LayerType::kCast>(CastTo(DataType{99}), {Float({2})},
                                  DiagnosticCode::kInvalidDescriptor, "(99)", "float32");
  ExpectRefused<LayerType::kCast>(CastTo(DataType::kUndefined), {Float({2})},
                                  DiagnosticCode::kInvalidDescriptor, "(0)", "bool");
}

TEST(Cast, RejectsQuantizedInput) {
  ExpectRefused<LayerType::kCast>(CastTo(DataType::kFloat32), {Quantized({2})},
                                  DiagnosticCode::kWrongDataType, "int8 [2]", "not quantized");
}

TEST(Dequantize, GivesFloats) {
  EXPECT_EQ(Infer<LayerType::kDequantize>(DequantizeTo(DataType::kBFloat16), {Quantized({3, 1})}),
            Typed(DataType::kBFloat16, {3, 1}));
}

TEST(Dequantize, RejectsIntegersAsResult) {
  ExpectRefused<LayerType::kDequantize>(DequantizeTo(DataType::kInt32), {Quantized({3})},
                                        DiagnosticCode::kInvalidDescriptor, "found int32",
                                        "float32, float16, bfloat16, float64");
}

TEST(Dequantize, RejectsPlainInput) {
  ExpectRefused<LayerType::kDequantize>(
      DequantizeTo(DataType::kFloat32), {Typed(DataType::kInt8, {3})},
      DiagnosticCode::kWrongDataType, "int8 [3]", "expected quantized int8, uint8");
}

TEST(Quantize, HasTheStatedType) {
  const OutputType stated(DataType::kInt16, Scales({0.5F, 0.25F}));
  const TensorInfo output = InferStated<LayerType::kQuantize>(Float({2, 3}), {stated});
  TensorInfo expected({2, 3}, DataType::kInt16);
  expected.quantization = stated.quantization;
  EXPECT_EQ(output, expected);
}

TEST(Quantize, RejectsScalesThatAreNotStated) {
  const auto add = [] { InferStated<LayerType::kQuantize>(Float({2}), {}); };
  EXPECT_EQ(CatchDiagnostic(add).code, DiagnosticCode::kWrongDataType);
}

TEST(Reinterpret, StatesOtherScalesOrNone) {
  const TensorInfo plain = Typed(DataType::kInt8, {4});
  const OutputType stated(DataType::kInt8, Scales({2.0F}));
  EXPECT_EQ(InferStated<LayerType::kReinterpret>(plain, {stated}).quantization,
            stated.quantization);
  EXPECT_EQ(InferStated<LayerType::kReinterpret>(Quantized({4}), {stated}).quantization,
            stated.quantization);
  EXPECT_EQ(InferStated<LayerType::kReinterpret>(Quantized({4}), {}), plain);
}

TEST(Reinterpret, RejectsAnotherDataType) {
  const OutputType stated(DataType::kUInt8, Scales({2.0F}));
  const auto add = [&] { InferStated<LayerType::kReinterpret>(Quantized({4}), {stated}); };
  EXPECT_EQ(CatchDiagnostic(add).code, DiagnosticCode::kWrongDataType);
}

TEST(DynamicQuantize, GivesElementsScaleAndZeroPoint) {
  auto network = INetwork::Create("net");
  const OutputSlot input = network->AddInputLayer(Float({0, 5}), "in");
  const LayerId layer = AddLayer<LayerType::kDynamicQuantize>(*network, {}, {input}, "layer");
  EXPECT_EQ(network->GetTensorInfo({layer, 0}), Typed(DataType::kUInt8, {0, 5}));
  EXPECT_EQ(network->GetTensorInfo({layer, 1}), Float({}));
  EXPECT_EQ(network->GetTensorInfo({layer, 2}), Typed(DataType::kUInt8, {}));
}

TEST(DynamicQuantize, RejectsOtherTypes) {
  ExpectRefused<LayerType::kDynamicQuantize>({}, {Typed(DataType::kFloat16, {3})},
                                             DiagnosticCode::kWrongDataType, "float16 [3]",
                                             "expected float32; not quantized");
}

}  // namespace
}  // namespace backplane
