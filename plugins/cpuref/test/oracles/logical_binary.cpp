#include "test/random_operands.hpp"

#include <backplane/api/descriptors/logical_binary.hpp>

namespace backplane {
namespace cpuref_test {
namespace logical_binary {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeCaseOfEach<LogicalBinaryDescriptor>(LayerType::kLogicalBinary, LogicalOperation::kXor,
                                                 random);
}

/// By the number of operands that are true.
template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const LogicalOperation operation = layer.Get<LogicalBinaryDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    const Number count = a + b;
    if (operation == LogicalOperation::kAnd) return count == Number{2};
    return operation == LogicalOperation::kOr ? count != Number{0} : count == Number{1};
  });
}

}  // namespace logical_binary

CPUREF_ORACLE(LogicalBinary, logical_binary, PlainTypes::kBool, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
