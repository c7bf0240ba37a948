#include "test/layer_case.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cmath>

namespace backplane {
namespace cpuref_test {
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
      return {PlainTypes::kBool, QuantisedTypes::kRefused};
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

}  // namespace elementwise_unary

CPUREF_ELEMENT_ORACLE(ElementwiseUnary, elementwise_unary, elementwise_unary::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
