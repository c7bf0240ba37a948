#include "test/random_operands.hpp"

#include <backplane/api/descriptors/comparison.hpp>

namespace backplane {
namespace cpuref_test {
namespace comparison {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases = MakeCaseOfEach<ComparisonDescriptor>(
      LayerType::kComparison, ComparisonOperation::kLessOrEqual, random);
  for (LayerCase& layer : cases) layer.own_outputs = {{0, DataType::kBool}};
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  const ComparisonOperation operation = layer.Get<ComparisonDescriptor>().operation;
  const bool is_equality =
      operation == ComparisonOperation::kEqual || operation == ComparisonOperation::kNotEqual;
  return {is_equality ? PlainTypes::kAll : PlainTypes::kNumbers, QuantisedTypes::kCalculated};
}

template <typename Number>
bool Compare(ComparisonOperation operation, Number a, Number b) {
  switch (operation) {
    case ComparisonOperation::kEqual:
      return a == b;
    case ComparisonOperation::kNotEqual:
      return a != b;
    case ComparisonOperation::kGreater:
      return a > b;
    case ComparisonOperation::kGreaterOrEqual:
      return a > b || a == b;
    case ComparisonOperation::kLess:
      return b > a;
    case ComparisonOperation::kLessOrEqual:
      return b > a || a == b;
  }
  return false;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const ComparisonOperation operation = layer.Get<ComparisonDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return Compare(operation, a, b) ? 1 : 0;
  });
}

}  // namespace comparison

CPUREF_ORACLE(Comparison, comparison, comparison::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
