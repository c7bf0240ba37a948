#include "test/moved_case.hpp"

#include <backplane/api/descriptors/tile.hpp>

namespace backplane {
namespace cpuref_test {
namespace tile {

std::vector<LayerCase> MakeCases(Random& random) {
  TileDescriptor descriptor;
  const TensorShape input = random.Shape(random.Word(0, 4), 1, 4);
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    descriptor.repeats[axis] = random.Integer(1, 3);
    output[axis] *= descriptor.repeats[axis];
  }
  return {MakeCase(LayerType::kTile, descriptor, {input}, output)};
}

LayerTraits GetTraits(const LayerCase& layer) {
  return MoveEverything(layer.Get<TileDescriptor>().repeats[0] == 1);
}

template <typename Number>
Number EvaluateAt(const LayerCase& /*layer*/, const Operands<Number>& inputs, Indices at) {
  for (std::uint32_t axis = 0; axis < at.size(); ++axis) at[axis] %= inputs[0].shape[axis];
  return inputs[0].At(at);
}

}  // namespace tile

CPUREF_ELEMENT_ORACLE(Tile, tile, tile::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
