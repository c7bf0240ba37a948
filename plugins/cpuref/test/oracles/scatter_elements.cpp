#include "test/scatter_oracle.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>

namespace backplane {
namespace cpuref_test {
namespace scatter_elements {

LayerCase MakeRandom(Random& random, ScatterReduction reduction) {
  ScatterElementsDescriptor descriptor;
  descriptor.reduction = reduction;
  const TensorShape values = random.Shape(random.Word(1, 3), 1, 5);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape indices = values;
  for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
    if (axis > 0) indices[axis] = random.Integer(1, values[axis]);
  }
  indices[descriptor.axis] = random.Integer(1, 3);
  LayerCase layer =
      MakeCase(LayerType::kScatterElements, descriptor, {values, indices, indices}, values);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return layer;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const ScatterReduction reduction : kReductions) {
    cases.push_back(MakeRandom(random, reduction));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  const auto descriptor = layer.Get<ScatterElementsDescriptor>();
  return GetScatterTraits(descriptor.reduction, descriptor.axis > 0);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  const auto descriptor = layer.Get<ScatterElementsDescriptor>();
  const TensorShape& values = inputs[0].shape;
  std::vector<Number> elements = inputs[0].data;
  for (std::int64_t i = 0; i < inputs[1].shape.GetNumElements(); ++i) {
    const Indices at = GetIndices(inputs[1].shape, i);
    Indices to = at;
    to[descriptor.axis] = static_cast<std::int64_t>(inputs[1].At(at));
    if (!IsInside(values[descriptor.axis], to[descriptor.axis])) continue;
    Combine(descriptor.reduction, elements[FindElement(values, to)], inputs[2].At(at));
  }
  return elements;
}

}  // namespace scatter_elements

CPUREF_ORACLE(ScatterElements, scatter_elements, scatter_elements::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
