#include "test/layer_case.hpp"

namespace backplane {
namespace cpuref_test {
namespace reinterpret {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kReinterpret, NoDescriptor(), {shape}, shape)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

}  // namespace reinterpret

// With the same scales before and after; its own test has others.
CPUREF_ORACLE(Reinterpret, reinterpret, PlainTypes::kQuantisable, QuantisedTypes::kMoved);

}  // namespace cpuref_test
}  // namespace backplane
