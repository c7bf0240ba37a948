#include "test/moved_case.hpp"

#include <backplane/api/descriptors/shape.hpp>

namespace backplane {
namespace cpuref_test {
namespace shape {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape input = random.Shape(random.Word(1, 6), 1, 4);
  ShapeDescriptor descriptor;
  descriptor.start = random.Word(0, input.rank - 1);
  descriptor.end = random.Word(descriptor.start + 1, input.rank);
  LayerCase layer =
      MakeCase(LayerType::kShape, descriptor, {input}, {descriptor.end - descriptor.start});
  layer.own_outputs = {OwnTensor()};
  return {layer};
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<ShapeDescriptor>();
  const auto axis = descriptor.start + static_cast<std::uint32_t>(at[0]);
  return static_cast<Number>(inputs[0].shape[axis]);
}

}  // namespace shape

CPUREF_ELEMENT_ORACLE(Shape, shape, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
