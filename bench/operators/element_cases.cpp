#include "operator_case.hpp"

namespace bench {
namespace {

using namespace backplane;

const TensorShape kImage = {1, 64, 112, 112};

OperatorCase MakeUnary(const char* name, UnaryOperation operation) {
  return {name,
          LayerType::kElementwiseUnary,
          Describe<ElementwiseUnaryDescriptor>([&](auto& d) { d.operation = operation; }),
          {Float(kImage)}};
}

OperatorCase MakeActivation(const char* name, ActivationFunction function) {
  return {name,
          LayerType::kActivation,
          Describe<ActivationDescriptor>([&](auto& d) { d.function = function; }),
          {Float(kImage)}};
}

OperatorCase MakeBinary(const char* name, BinaryOperation operation, const TensorShape& second) {
  return {name,
          LayerType::kElementwiseBinary,
          Describe<ElementwiseBinaryDescriptor>([&](auto& d) { d.operation = operation; }),
          {Float(kImage), Float(second)}};
}

CaseInput Bools() {
  return {{kImage, DataType::kBool}, Given::kAtEveryRun, 1};
}

OutputType Quantized() {
  QuantizationInfo info;
  info.scales = {0.02F};
  return {DataType::kUInt8, info};
}

void AddConversions(std::vector<OperatorCase>& cases) {
  const auto to_int8 = Describe<CastDescriptor>([](auto& d) { d.to = DataType::kInt8; });
  cases.push_back({"cast float32 to int8", LayerType::kCast, to_int8, {Float(kImage)}});
  const auto none = Describe<NoDescriptor>();
  cases.push_back(
      {"quantize to uint8", LayerType::kQuantize, none, {Float(kImage)}, 0, {Quantized()}});
  CaseInput stored = {{kImage, DataType::kUInt8}, Given::kAtEveryRun, 255};
  stored.info.quantization = Quantized().quantization;
  cases.push_back(
      {"dequantize uint8", LayerType::kDequantize, Describe<DequantizeDescriptor>(), {stored}});
  cases.push_back({"dynamic quantize", LayerType::kDynamicQuantize, none, {Float(kImage)}});
}

void AddChoices(std::vector<OperatorCase>& cases) {
  const auto less =
      Describe<ComparisonDescriptor>([](auto& d) { d.operation = ComparisonOperation::kLess; });
  cases.push_back({"less", LayerType::kComparison, less, {Float(kImage), Float(kImage)}});
  cases.push_back({"logical and",
                   LayerType::kLogicalBinary,
                   Describe<LogicalBinaryDescriptor>(),
                   {Bools(), Bools()}});
  const CaseInput words = {{kImage, DataType::kUInt32}, Given::kAtEveryRun, 1 << 20};
  cases.push_back({"bitwise and uint32",
                   LayerType::kBitwiseBinary,
                   Describe<BitwiseBinaryDescriptor>(),
                   {words, words}});
  cases.push_back({"where",
                   LayerType::kWhere,
                   Describe<NoDescriptor>(),
                   {Bools(), Float(kImage), Float(kImage)}});
  const auto nan = Describe<FloatClassificationDescriptor>([](auto& d) { d.detect_nan = 1; });
  cases.push_back({"is NaN", LayerType::kFloatClassification, nan, {Float(kImage)}});
  cases.push_back({"prelu, a slope for each channel",
                   LayerType::kPrelu,
                   Describe<NoDescriptor>(),
                   {Float(kImage), Weights({64, 1, 1})}});
}

}  // namespace

std::vector<OperatorCase> MakeElementCases() {
  std::vector<OperatorCase> cases = {
      MakeActivation("relu", ActivationFunction::kRelu),
      MakeActivation("sigmoid", ActivationFunction::kSigmoid),
      MakeActivation("tanh", ActivationFunction::kTanH),
      MakeActivation("gelu", ActivationFunction::kGelu),
      MakeActivation("hard swish", ActivationFunction::kHardSwish),
      MakeUnary("sqrt", UnaryOperation::kSqrt),
      MakeUnary("exp", UnaryOperation::kExp),
      MakeUnary("erf", UnaryOperation::kErf),
      MakeUnary("floor", UnaryOperation::kFloor),
      MakeBinary("add", BinaryOperation::kAdd, kImage),
      MakeBinary("add, one for each channel", BinaryOperation::kAdd, {64, 1, 1}),
      MakeBinary("multiply by a scalar", BinaryOperation::kMul, {}),
      MakeBinary("divide", BinaryOperation::kDiv, kImage),
      MakeBinary("power", BinaryOperation::kPower, {}),
  };
  AddChoices(cases);
  AddConversions(cases);
  return cases;
}

}  // namespace bench
