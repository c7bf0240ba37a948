#include "test/moved_case.hpp"

namespace backplane {
namespace cpuref_test {
namespace size {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape input = random.Shape(random.Word(0, 6), 1, 4);
  LayerCase layer = MakeCase(LayerType::kSize, NoDescriptor(), {input}, {});
  layer.own_outputs = {OwnTensor()};
  return {layer};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return {static_cast<Number>(inputs[0].data.size())};
}

}  // namespace size

CPUREF_ORACLE(Size, size, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
