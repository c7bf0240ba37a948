#include "conformance/block_case.hpp"

#include <backplane/api/descriptors/space_to_batch.hpp>

namespace backplane {
namespace conformance {
namespace space_to_batch {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeBatchCases(LayerType::kSpaceToBatch, BlockDirection::kFromSpace,
                        &SpaceToBatchDescriptor::pads_begin, &SpaceToBatchDescriptor::pads_end,
                        random);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<SpaceToBatchDescriptor>();
  std::int64_t place = at[0] / layer.inputs[0][0];
  at[0] %= layer.inputs[0][0];
  for (std::uint32_t i = descriptor.spatial_rank; i-- > 0;) {
    std::int64_t& index = at[i + 2];
    index = index * descriptor.block[i] + place % descriptor.block[i] - descriptor.pads_begin[i];
    place /= descriptor.block[i];
    if (index < 0 || index >= layer.inputs[0][i + 2]) return Number{0};
  }
  return inputs[0].At(at);
}

LayerCase Blocks(const std::vector<std::uint32_t>& sizes, std::uint32_t pad_begin,
                 std::uint32_t pad_end, const TensorShape& input, const TensorShape& output) {
  SpaceToBatchDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.size());
  std::copy_n(sizes.begin(), std::min<std::size_t>(sizes.size(), kMaxSpatialRank),
              descriptor.block);
  descriptor.pads_begin[0] = pad_begin;
  descriptor.pads_end[0] = pad_end;
  return MakeCase(LayerType::kSpaceToBatch, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  return {
      // The places in a block are outermost.
      {Blocks({2}, 0, 0, {2, 1, 2}, {4, 1, 1}), {{1, 2, 3, 4}}, {{1, 3, 2, 4}}},
      {Blocks({3}, 4, 3, {1, 1, 2}, {3, 1, 3}), {{1, 2}}, {{0, 0, 0, 0, 1, 0, 0, 2, 0}}},
      {Blocks({2}, 1, 1, {1, 1, 0}, {2, 1, 1}), {{}}, {{0, 0}}},
      {Blocks({2}, 0, 0, {1, 1, 0}, {2, 1, 0}), {{}}, {{}}},
      {With(Blocks({2}, 0, 0, {2, 3, 4}, {4, 3, 2}), {MakeScaled(0, 1, 3)}, {MakeScaled(0, 1, 3)})},
  };
}

std::string RefuseShapes(const std::string& input, const std::string& output) {
  return "input 0 with shape " + input + " does not give an output with shape " + output +
         " with the blocks and the padding or crops of the descriptor";
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Blocks({2}, 0, 0, {1, 1, 3}, {2, 1, 1}), "wrong-shape", "extent 3 at axis 2",
       "a multiple of 2", RefuseShapes("[1, 1, 3]", "[2, 1, 1]")},
      {Blocks({2, 2}, 0, 0, {1, 1, 4}, {4, 1, 1}), "wrong-rank", "float32 [1, 1, 4]", "rank 4",
       "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {Blocks({0}, 0, 0, {1, 1, 4}, {1, 1, 4}), "invalid-descriptor", "found 0", "1 or more",
       RefuseShapes("[1, 1, 4]", "[1, 1, 4]")},
      {Blocks({1, 1, 1, 1}, 0, 0, {1, 1, 4}, {1, 1, 4}), "invalid-descriptor", "found 4", "1 to 3",
       "spatial rank 4 is not supported, only 1 to 3"},
      {With(Blocks({2}, 0, 0, {2, 3, 4}, {4, 3, 2}), {MakeScaled(0, 0, 2)}, {MakeScaled(0, 0, 4)}),
       "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace space_to_batch

// Only scales along the channels are kept.
BACKPLANE_ELEMENT_ORACLE(SpaceToBatch, space_to_batch, MoveEverything(false));

}  // namespace conformance
}  // namespace backplane
