#include "test/layer_case.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

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
      return b == 0 && !kIsReal<Number> ? Number{} : a / b;
    case BinaryOperation::kMaximum:
      return std::max(a, b);
    case BinaryOperation::kMinimum:
      return std::min(a, b);
  }
  return Number{};
}

LayerCase MakeCaseOf(BinaryOperation operation, Random& random) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  const TensorShape full = random.Shape(3, 1, 5);
  const TensorShape repeated = {full[1], 1};
  const TensorShape first = random.Integer(0, 1) == 1 ? repeated : full;
  return MakeCase(LayerType::kElementwiseBinary, descriptor, {first, full}, full);
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t operation = 1; operation <= 6; ++operation) {
    cases.push_back(MakeCaseOf(BinaryOperation{operation}, random));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  LayerTraits traits;
  traits.plain = PlainTypes::kNumbers;
  if (layer.Get<ElementwiseBinaryDescriptor>().operation <= BinaryOperation::kMul) {
    traits.integers = IntegerResults::kWrap;
  }
  return traits;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) {
    return Combine(layer.Get<ElementwiseBinaryDescriptor>().operation, Broadcast(inputs[0], at),
                   Broadcast(inputs[1], at));
  });
}

}  // namespace

CPUREF_ORACLE(ElementwiseBinary);

}  // namespace cpuref_test
}  // namespace backplane
