#include "test/moved_case.hpp"

#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace cpuref_test {
namespace transpose {

std::vector<LayerCase> MakeCases(Random& random) {
  TransposeDescriptor descriptor;
  const TensorShape input = random.Shape(random.Word(0, 5), 1, 5);
  // A first axis that stays is one along which there may be scales.
  const std::uint32_t first = input.rank == 0 ? 0 : random.Word(0, 1);
  for (std::uint32_t axis = first; axis + 1 < input.rank; ++axis) {
    std::swap(descriptor.permutation[axis],
              descriptor.permutation[random.Word(axis, input.rank - 1)]);
  }
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    output[axis] = input[descriptor.permutation[axis]];
  }
  return {MakeCase(LayerType::kTranspose, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<TransposeDescriptor>().permutation[0] == 0);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, const Indices& at) {
  const auto descriptor = layer.Get<TransposeDescriptor>();
  Indices from(at.size());
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    from[descriptor.permutation[axis]] = at[axis];
  }
  return inputs[0].At(from);
}

}  // namespace transpose

CPUREF_ELEMENT_ORACLE(Transpose, transpose, transpose::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
