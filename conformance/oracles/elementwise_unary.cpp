#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cmath>

namespace backplane {
namespace conformance {
namespace elementwise_unary {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t operation = 1; operation <= 24; ++operation) {
    ElementwiseUnaryDescriptor descriptor;
    descriptor.operation = UnaryOperation{operation};
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kElementwiseUnary, descriptor, {shape}, shape));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  switch (layer.Get<ElementwiseUnaryDescriptor>().operation) {
    case UnaryOperation::kAbs:
    case UnaryOperation::kNegate:
    case UnaryOperation::kSign:
      return {PlainTypes::kNumbers, QuantisedTypes::kCalculated};
    case UnaryOperation::kBitwiseNot:
      return {PlainTypes::kIntegers, QuantisedTypes::kRefused};
    case UnaryOperation::kLogicalNot:
      return {PlainTypes{DataType::kBool}, QuantisedTypes::kRefused};
    default:
      return {PlainTypes::kFloats, QuantisedTypes::kCalculated};
  }
}

long double ComputeReal(UnaryOperation operation, long double x) {
  switch (operation) {
    case UnaryOperation::kSqrt:
      return std::sqrt(x);
    case UnaryOperation::kReciprocal:
      return 1.0L / x;
    case UnaryOperation::kExp:
      return std::exp(x);
    case UnaryOperation::kLog:
      return std::log(x);
    case UnaryOperation::kSin:
      return std::sin(x);
    case UnaryOperation::kCos:
      return std::cos(x);
    case UnaryOperation::kTan:
      return std::sin(x) / std::cos(x);
    case UnaryOperation::kAsin:
      return std::asin(x);
    case UnaryOperation::kAcos:
      return std::acos(x);
    case UnaryOperation::kAtan:
      return std::atan(x);
    case UnaryOperation::kSinh:
      return (std::exp(x) - std::exp(-x)) / 2.0L;
    case UnaryOperation::kCosh:
      return (std::exp(x) + std::exp(-x)) / 2.0L;
    case UnaryOperation::kAsinh:
      return std::asinh(x);
    case UnaryOperation::kAcosh:
      return std::acosh(x);
    case UnaryOperation::kAtanh:
      return std::atanh(x);
    case UnaryOperation::kErf:
      return std::erf(x);
    case UnaryOperation::kCeil:
      return std::ceil(x);
    case UnaryOperation::kFloor:
      return std::floor(x);
    case UnaryOperation::kRound:
      return x - std::remainder(x, 1.0L);
    default:
      return std::nan("");
  }
}

template <typename Number>
Number Compute(UnaryOperation operation, Number x) {
  switch (operation) {
    case UnaryOperation::kAbs:
      return x < Number{0} ? -x : x;
    case UnaryOperation::kNegate:
      return -x;
    case UnaryOperation::kSign:
      return static_cast<Number>((x > Number{0} ? 1 : 0) - (x < Number{0} ? 1 : 0));
    case UnaryOperation::kBitwiseNot:
      return -x - Number{1};
    case UnaryOperation::kLogicalNot:
      return Number{1} - x;
    default:
      return static_cast<Number>(kIsReal<Number> ? ComputeReal(operation, x) : 0);
  }
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const UnaryOperation operation = layer.Get<ElementwiseUnaryDescriptor>().operation;
  return Compute<Number>(operation, inputs[0].At(at));
}

using Operation = UnaryOperation;

LayerCase Describe(Operation operation, const TensorShape& shape) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  return MakeCase(LayerType::kElementwiseUnary, descriptor, {shape}, shape);
}

EdgeCase Apply(Operation operation, const Elements& input, const Elements& output,
               DataType type = DataType::kFloat32) {
  return {
      As(type, Describe(operation, {static_cast<std::int64_t>(input.size())})), {input}, {output}};
}

/// Poles, limits and what lies outside of the domain; NaN stays what it is.
void AddFloats(std::vector<EdgeCase>& edges) {
  for (const Operation operation : {Operation::kSqrt, Operation::kLog, Operation::kAsin,
                                    Operation::kAcos, Operation::kAcosh, Operation::kAtanh}) {
    edges.push_back(Apply(operation, {-1.5L}, {kNaN}));
  }
  for (const Operation operation : {Operation::kSin, Operation::kCos, Operation::kTan}) {
    edges.push_back(Apply(operation, {kInfinity}, {kNaN}));
  }
  edges.push_back(Apply(Operation::kReciprocal, {0, -0.0L, kInfinity}, {kInfinity, -kInfinity, 0}));
  edges.push_back(Apply(Operation::kLog, {0, 1, kInfinity}, {-kInfinity, 0, kInfinity}));
  edges.push_back(Apply(Operation::kExp, {-kInfinity, 0, 100}, {0, 1, kInfinity}));
  edges.push_back(Apply(Operation::kAtanh, {-1, 1}, {-kInfinity, kInfinity}));
  edges.push_back(Apply(Operation::kErf, {-kInfinity, 0, kInfinity}, {-1, 0, 1}));
  edges.push_back(Apply(Operation::kSign, {-kInfinity, -1e-30L, 0, 5, kNaN}, {-1, -1, 0, 1, kNaN}));
  // Ties go to even.
  edges.push_back(Apply(Operation::kRound,
                        {-2.5L, -1.5L, -0.5L, 0.5L, 1.5L, 2.5L, 0.49999997L, 8388609, 1e30L},
                        {-2, -2, -0.0L, 0, 2, 2, 0, 8388609, 1e30L}));
  const Elements elements = {-1.5L, -1, 1.25L, 16777216, kInfinity, -kInfinity};
  edges.push_back(Apply(Operation::kCeil, elements, {-1, -1, 2, 16777216, kInfinity, -kInfinity}));
  edges.push_back(Apply(Operation::kFloor, elements, {-2, -1, 1, 16777216, kInfinity, -kInfinity}));
  for (std::uint32_t operation = 1; operation <= 22; ++operation) {
    // Long enough for the vectorised part of the loop.
    edges.push_back(Apply(Operation{operation}, Elements(19, kNaN), Elements(19, kNaN)));
  }
}

void AddIntegers(std::vector<EdgeCase>& edges) {
  constexpr std::uint64_t kMost64 = 0xffffffffffffffffU;
  // The least integer is its own negative.
  for (const Operation operation : {Operation::kAbs, Operation::kNegate}) {
    edges.push_back(Apply(operation, {-128, -127}, {-128, 127}, DataType::kInt8));
    edges.push_back(Apply(operation, {kLeast, -kMost}, {kLeast, kMost}, DataType::kInt64));
  }
  edges.push_back(Apply(Operation::kAbs, {0, 255}, {0, 255}, DataType::kUInt8));
  edges.push_back(Apply(Operation::kSign, {0, kMost64}, {0, 1}, DataType::kUInt64));
  edges.push_back(Apply(Operation::kNegate, {0, 1, 255}, {0, 255, 1}, DataType::kUInt8));
  edges.push_back(Apply(Operation::kBitwiseNot, {0, -1, 127}, {-1, 0, -128}, DataType::kInt8));
  edges.push_back(Apply(Operation::kBitwiseNot, {0, 0xff00}, {0xffff, 0x00ff}, DataType::kUInt16));
  // Every byte but zero is true.
  edges.push_back(Apply(Operation::kLogicalNot, {0, 1, 2, 255}, {1, 0, 0, 0}, DataType::kBool));
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {{Describe(Operation::kExp, {2, 0}), {{}}, {{}}},
                                 {Describe(Operation::kRound, {}), {{1.5L}}, {{2}}}};
  AddFloats(edges);
  AddIntegers(edges);
  return edges;
}

/// Values of a type that the operation makes no sense of.
RefusedCase RefuseValues(Operation operation, DataType type, const char* expected,
                         const std::string& only) {
  return {As(type, Describe(operation, {1})), "wrong-data-type",
          std::string(GetDataTypeName(type)) + " [1]", expected, RefuseType(type, only)};
}

std::vector<RefusedCase> MakeRefused() {
  const OwnTensor quantised = MakeScaled(0, 0, 1);
  const char* const unknown = " is not supported, only 1 (Abs) to 24 (LogicalNot)";
  const char* const integers =
      " is not supported, only int8, uint8, int16, uint16, int32, uint32, int64, uint64, "
      "and quantised int8, uint8, int16, uint16, int32";
  return {
      {Describe(Operation{0}, {2}), "invalid-descriptor", "number 0", "1 (Abs) to 24 (LogicalNot)",
       std::string("unary operation 0") + unknown},
      {Describe(Operation{25}, {2}), "invalid-descriptor", "number 25",
       "1 (Abs) to 24 (LogicalNot)", std::string("unary operation 25") + unknown},
      RefuseValues(Operation::kSign, DataType::kBool, "int64, uint64, or quantized", kOnlyNumbers),
      RefuseValues(Operation::kSqrt, DataType::kInt32, "float64, or quantized", kOnlyFloats),
      RefuseValues(Operation::kBitwiseNot, DataType::kFloat32, "uint64; not quantized", integers),
      RefuseValues(Operation::kBitwiseNot, DataType::kBool, "uint64; not quantized", integers),
      RefuseValues(Operation::kLogicalNot, DataType::kUInt8, "expected bool; not quantized",
                   " is not supported, only bool"),
      {With(Describe(Operation::kBitwiseNot, {2}), {quantised}, {quantised}), "wrong-data-type",
       "quantized int8 [2]", "not quantized",
       "input 0 is quantised, which is not supported; the output is quantised, which is not "
       "supported"},
  };
}

}  // namespace elementwise_unary

BACKPLANE_ELEMENT_ORACLE(ElementwiseUnary, elementwise_unary, elementwise_unary::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
