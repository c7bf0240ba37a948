#include "conformance/random_operands.hpp"

#include <backplane/api/descriptors/logical_binary.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Describe(LogicalOperation operation, const TensorShape& a, const TensorShape& b,
                   const TensorShape& output) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return As(DataType::kBool, MakeCase(LayerType::kLogicalBinary, descriptor, {a, b}, output));
}

std::vector<EdgeCase> MakeEdges() {
  // Every byte but zero is true.
  const Elements a = {0, 0, 1, 2, 4};
  const Elements b = {0, 1, 0, 1, 2};
  Elements first_row(67, 1);
  first_row.resize(134, 0);
  return {
      {Describe(LogicalOperation::kAnd, {5}, {5}, {5}), {a, b}, {{0, 0, 0, 1, 1}}},
      {Describe(LogicalOperation::kOr, {5}, {5}, {5}), {a, b}, {{0, 1, 1, 1, 1}}},
      {Describe(LogicalOperation::kXor, {5}, {5}, {5}), {a, b}, {{0, 1, 1, 0, 0}}},
      {Describe(LogicalOperation::kOr, {67}, {2, 1}, {2, 67}), {Elements(67), {1, 0}}, {first_row}},
      {Describe(LogicalOperation::kXor, {2, 1}, {67}, {2, 67}),
       {{1, 0}, Elements(67)},
       {first_row}},
      {Describe(LogicalOperation::kAnd, {0, 3}, {1, 3}, {0, 3}), {{}, {1, 1, 1}}, {{}}},
      {Describe(LogicalOperation::kAnd, {}, {}, {}), {{1}, {1}}, {{1}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(LogicalOperation::kAnd, {2}, {2}, {2});
  return {
      {As(DataType::kUInt8, plain), "wrong-data-type", "[2]", "expected bool; not quantized",
       "data type uint8 of input 0 is not supported, only bool; data type uint8 of input 1 is not "
       "supported, only bool; data type uint8 of the output is not supported, only bool"},
      {With(plain, {MakeScaled(0, 0, 1), MakeScaled(1, 0, 1)}), "wrong-data-type",
       "quantized int8 [2]", "not quantized",
       "data type quantised int8 of input 0 is not supported, only bool; data type quantised int8 "
       "of input 1 is not supported, only bool"},
      {Describe(LogicalOperation::kAnd, {2, 3}, {2}, {2, 3}), "wrong-shape", "[2, 3] and [2]",
       "equal or 1", "the shapes [2, 3] of input 0 and [2] of input 1 do not broadcast"},
      {Describe(LogicalOperation{4}, {2}, {2}, {2}), "invalid-descriptor", "number 4",
       "And, Or or Xor", "logical operation 4 is not supported, only 1 (And), 2 (Or) and 3 (Xor)"},
  };
}

}  // namespace logical_binary

BACKPLANE_ORACLE(LogicalBinary, logical_binary, PlainTypes{DataType::kBool},
                 QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
