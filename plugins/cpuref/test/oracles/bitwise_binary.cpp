#include "test/random_operands.hpp"

#include <backplane/api/descriptors/bitwise_binary.hpp>

namespace backplane {
namespace cpuref_test {
namespace bitwise_binary {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeCaseOfEach<BitwiseBinaryDescriptor>(LayerType::kBitwiseBinary,
                                                 BitwiseOperation::kShiftRight, random);
}

/// One place after the other. No integer has more than 64 bits, so that more places change nothing.
Wide Shift(Wide value, Wide amount, bool to_left) {
  if (amount < 0 || amount > 64) amount = 64;
  for (; amount > 0; --amount) {
    const Wide is_odd = value & 1;
    value = to_left ? static_cast<Wide>(static_cast<Ring>(value) * 2) : (value - is_odd) / 2;
  }
  return value;
}

Wide CombineBits(BitwiseOperation operation, Wide a, Wide b) {
  switch (operation) {
    case BitwiseOperation::kAnd:
      return a & b;
    case BitwiseOperation::kOr:
      return a | b;
    case BitwiseOperation::kXor:
      return a ^ b;
    default:
      return Shift(a, b, operation == BitwiseOperation::kShiftLeft);
  }
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const BitwiseOperation operation = layer.Get<BitwiseBinaryDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return CombineBits(operation, static_cast<Wide>(a), static_cast<Wide>(b));
  });
}

}  // namespace bitwise_binary

CPUREF_ORACLE(BitwiseBinary, bitwise_binary, PlainTypes::kIntegers, QuantisedTypes::kRefused);

}  // namespace cpuref_test
}  // namespace backplane
