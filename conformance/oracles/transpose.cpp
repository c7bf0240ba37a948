#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace conformance {
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

LayerCase Order(const std::vector<std::uint32_t>& axes, const TensorShape& input) {
  TransposeDescriptor descriptor;
  std::copy(axes.begin(), axes.end(), descriptor.permutation);
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    if (axes[axis] < input.rank) output[axis] = input[axes[axis]];
  }
  return MakeCase(LayerType::kTranspose, descriptor, {input}, output);
}

/// All axes that there may be.
EdgeCase MakeRandomOrder(Random& random) {
  std::vector<std::uint32_t> axes = {0, 1, 2, 3, 4, 5, 6, 7};
  for (std::uint32_t axis = 0; axis < kMaxRank; ++axis) {
    std::swap(axes[axis], axes[random.Word(axis, kMaxRank - 1)]);
  }
  return {Order(axes, random.Shape(kMaxRank, 1, 3))};
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Order({1, 0}, {2, 3}), {{1, 2, 3, 4, 5, 6}}, {{1, 4, 2, 5, 3, 6}}},
      {Order({1, 0}, {0, 3}), {{}}, {{}}},
      {Order({7}, {}), {{5}}, {{5}}},
      {With(Order({2, 0, 1}, {2, 3, 4}), {MakeScaled(0, 0, 2)}, {MakeScaled(0, 1, 2)})},
  };
  // Larger than the tiles in which it is copied, and not a multiple of them.
  for (const TensorShape& shape :
       {TensorShape{100, 70}, TensorShape{3, 2500}, TensorShape{2500, 3}, TensorShape{33, 1025}}) {
    edges.push_back({Order({1, 0}, shape)});
  }
  // Channels go to the end and back.
  for (const std::int64_t channels : {1, 3, 4, 16, 65}) {
    edges.push_back({Order({0, 2, 3, 1}, {2, channels, 9, 11})});
    edges.push_back({Order({0, 3, 1, 2}, {2, 9, 11, channels})});
    edges.push_back({Order({1, 0, 2}, {7, 5, channels})});
  }
  Random random(61);
  for (int round = 0; round < 40; ++round) edges.push_back(MakeRandomOrder(random));
  return edges;
}

RefusedCase RefuseOrder(std::uint32_t first, std::uint32_t second) {
  return {Order({first, second}, {2, 2}), "invalid-descriptor",
          "(" + std::to_string(first) + ", " + std::to_string(second) + ")",
          "each axis from 0 to 1 once", "the permutation does not name each axis of rank 2 once"};
}

std::vector<RefusedCase> MakeRefused() {
  return {
      RefuseOrder(0, 0),
      RefuseOrder(1, 2),
      RefuseOrder(0, 1U << 31U),
      {With(Order({1, 2, 0}, {2, 3, 2}), {MakeScaled(0, 0, 2)}, {MakeScaled(0, 1, 2)}), "", "", "",
       "the quantisation of input 0 differs from that of the output; conversions are not "
       "supported"},
  };
}

}  // namespace transpose

BACKPLANE_ELEMENT_ORACLE(Transpose, transpose, transpose::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
