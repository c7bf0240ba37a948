#include "test/moved_case.hpp"

#include <backplane/api/descriptors/gather_elements.hpp>

namespace backplane {
namespace cpuref_test {
namespace gather_elements {

std::vector<LayerCase> MakeCases(Random& random) {
  GatherElementsDescriptor descriptor;
  const TensorShape values = random.Shape(random.Word(1, 4), 1, 5);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape indices = values;
  if (random.Integer(0, 1) == 1) {
    for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
      indices[axis] = random.Integer(1, values[axis]);
    }
  }
  indices[descriptor.axis] = random.Integer(1, 7);
  LayerCase layer = MakeCase(LayerType::kGatherElements, descriptor, {values, indices}, indices);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<GatherElementsDescriptor>().axis > 0 &&
                        layer.inputs[0][0] == layer.inputs[1][0]);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const std::uint32_t axis = layer.Get<GatherElementsDescriptor>().axis;
  at[axis] = ReadNearest(inputs[1].At(at), inputs[0].shape[axis]);
  return inputs[0].At(at);
}

}  // namespace gather_elements

CPUREF_ELEMENT_ORACLE(GatherElements, gather_elements, gather_elements::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
