#include "test/layer_case.hpp"

#include <backplane/api/descriptor.hpp>

namespace backplane {
namespace cpuref_test {
namespace copy {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape matrix = random.Shape(2, 1, 6);
  return {MakeCase(LayerType::kCopy, NoDescriptor(), {matrix}, matrix)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

}  // namespace copy

CPUREF_ORACLE(Copy, copy, PlainTypes::kAll, QuantisedTypes::kMoved);

}  // namespace cpuref_test
}  // namespace backplane
