#include "conformance/limits.hpp"
#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/tile.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Repeat(const std::vector<std::int64_t>& repeats, const TensorShape& input,
                 const TensorShape& output) {
  TileDescriptor descriptor;
  std::copy(repeats.begin(), repeats.end(), descriptor.repeats);
  return MakeCase(LayerType::kTile, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      {Repeat({2, 3}, {2, 2}, {4, 6}), {{1, 2, 3, 4}}, {{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4,
                                                         1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}}},
      {Repeat({}, {}, {}), {{5}}, {{5}}},
      {Repeat({0}, {2}, {0}), {{1, 2}}, {{}}},
      {Repeat({kMost}, {0}, {0}), {{}}, {{}}},
      {Repeat({2, 2, 2, 2, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {4, 2, 4, 2, 4, 2, 4, 2})},
      {With(Repeat({1, 2}, {2, 3}, {2, 6}), {MakeScaled(0, 0, 2)}, {MakeScaled(0, 0, 2)})},
  };
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Repeat({-1}, {2}, {2}), "invalid-descriptor", "-1 at axis 0", "0 or more",
       "-1 repeats along axis 0 of extent 2 are not possible"},
      {Repeat({kMost}, {2}, {2}), "tensor-too-large", "times extent 2", "63 bits",
       "9223372036854775807 repeats along axis 0 of extent 2 are not possible; the output has "
       "shape [2], but the inputs give [-2]"},
      {With(Repeat({1, 2}, {2, 3}, {2, 6}), {MakeScaled(0, 1, 3)}, {MakeScaled(0, 1, 6)}),
       "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace tile

BACKPLANE_ELEMENT_ORACLE(Tile, tile, tile::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
