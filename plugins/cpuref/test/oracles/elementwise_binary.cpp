#include "test/random_operands.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuref_test {
namespace elementwise_binary {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeCaseOfEach<ElementwiseBinaryDescriptor>(LayerType::kElementwiseBinary,
                                                     BinaryOperation::kSquaredDifference, random);
}

LayerTraits GetTraits(const LayerCase& layer) {
  LayerTraits traits = {PlainTypes::kNumbers, QuantisedTypes::kCalculated};
  switch (layer.Get<ElementwiseBinaryDescriptor>().operation) {
    case BinaryOperation::kAdd:
    case BinaryOperation::kSub:
    case BinaryOperation::kMul:
    case BinaryOperation::kPower:
    case BinaryOperation::kSquaredDifference:
      traits.integers = IntegerResults::kWrap;
      return traits;
    default:
      return traits;
  }
}

template <typename Number>
Number GetRest(Number a, Number b, bool has_sign_of_divisor) {
  if constexpr (kIsReal<Number>) {
    const Number rest = std::fmod(a, b);
    return has_sign_of_divisor && rest * b < 0 ? rest + b : rest;
  } else {
    if (b == Number{0}) return Number{0};
    return has_sign_of_divisor ? (a % b + b) % b : a % b;
  }
}

template <typename Number>
Number Raise(Number base, Number exponent) {
  if constexpr (kIsReal<Number>) {
    return std::pow(base, exponent);
  } else {
    if (exponent == Number{0}) return Number{1};
    if (static_cast<Wide>(exponent) > 0) {
      const Number root = Raise<Number>(base * base, exponent / Number{2});
      return exponent % Number{2} == Number{0} ? root : root * base;
    }
    const bool is_one = base == Number{1} || base == static_cast<Number>(-1);
    return is_one ? Raise<Number>(base, -exponent) : Number{0};
  }
}

template <typename Number>
Number Combine(BinaryOperation operation, Number a, Number b) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return a + b;
    case BinaryOperation::kSub:
      return a - b;
    case BinaryOperation::kMul:
      return a * b;
    case BinaryOperation::kDiv:
      return b == Number{0} && !kIsReal<Number> ? Number{0} : a / b;
    case BinaryOperation::kMaximum:
      return std::max(a, b);
    case BinaryOperation::kMinimum:
      return std::min(a, b);
    case BinaryOperation::kPower:
      return Raise(a, b);
    case BinaryOperation::kModulo:
      return GetRest(a, b, true);
    case BinaryOperation::kRemainder:
      return GetRest(a, b, false);
    case BinaryOperation::kSquaredDifference:
      return a * a - Number{2} * a * b + b * b;
  }
  return Number{0};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const BinaryOperation operation = layer.Get<ElementwiseBinaryDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return Combine<Number>(operation, a, b);
  });
}

}  // namespace elementwise_binary

CPUREF_ORACLE(ElementwiseBinary, elementwise_binary, elementwise_binary::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
