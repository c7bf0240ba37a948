#include "test/random_operands.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace prelu {

std::vector<LayerCase> MakeCases(Random& random) {
  const RandomOperands operands(random);
  const bool is_first_whole = operands.shapes[0] == operands.result;
  return {MakeCase(LayerType::kPrelu, NoDescriptor(),
                   {operands.result, operands.shapes[is_first_whole ? 1 : 0]}, operands.result)};
}

/// What is positive plus the slope times what is negative.
template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluatePairs<Number>(layer, inputs, output, [](Number x, Number slope) {
    return std::max(x, Number{0}) + slope * std::min(x, Number{0});
  });
}

}  // namespace prelu

CPUREF_ORACLE(Prelu, prelu, PlainTypes::kNumbers, QuantisedTypes::kCalculated);

}  // namespace cpuref_test
}  // namespace backplane
