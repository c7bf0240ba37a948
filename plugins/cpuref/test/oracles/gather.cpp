#include "test/moved_case.hpp"

#include <backplane/api/descriptors/gather.hpp>

namespace backplane {
namespace cpuref_test {
namespace gather {

std::vector<LayerCase> MakeCases(Random& random) {
  GatherDescriptor descriptor;
  const TensorShape values = random.Shape(random.Word(1, 3), 1, 5);
  const TensorShape indices = random.Shape(random.Word(0, 2), 1, 4);
  descriptor.axis = random.Word(0, values.rank - 1);
  TensorShape output;
  for (std::uint32_t axis = 0; axis < values.rank; ++axis) {
    if (axis != descriptor.axis) {
      output.Append(values[axis]);
      continue;
    }
    for (std::uint32_t i = 0; i < indices.rank; ++i) output.Append(indices[i]);
  }
  LayerCase layer = MakeCase(LayerType::kGather, descriptor, {values, indices}, output);
  layer.own_inputs = {MakeIndices(random, values[descriptor.axis])};
  return {layer};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<GatherDescriptor>().axis > 0);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const std::uint32_t axis = layer.Get<GatherDescriptor>().axis;
  const TensorShape& indices = inputs[1].shape;
  const auto begin = at.begin() + static_cast<std::ptrdiff_t>(axis);
  const auto end = begin + static_cast<std::ptrdiff_t>(indices.rank);
  Indices from(at.begin(), begin);
  const Number stored = inputs[1].At(Indices(begin, end));
  from.push_back(ReadNearest(stored, inputs[0].shape[axis]));
  from.insert(from.end(), end, at.end());
  return inputs[0].At(from);
}

}  // namespace gather

CPUREF_ELEMENT_ORACLE(Gather, gather, gather::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
