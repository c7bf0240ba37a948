#include "conformance/block_case.hpp"

#include <backplane/api/descriptors/batch_to_space.hpp>

namespace backplane {
namespace conformance {
namespace batch_to_space {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeBatchCases(LayerType::kBatchToSpace, BlockDirection::kToSpace,
                        &BatchToSpaceDescriptor::crops_begin, &BatchToSpaceDescriptor::crops_end,
                        random);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<BatchToSpaceDescriptor>();
  std::int64_t place = 0;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t index = at[i + 2] + descriptor.crops_begin[i];
    place = place * descriptor.block[i] + index % descriptor.block[i];
    at[i + 2] = index / descriptor.block[i];
  }
  at[0] += place * layer.outputs[0][0];
  return inputs[0].At(at);
}

LayerCase Blocks(const std::vector<std::uint32_t>& sizes, std::uint32_t crop_begin,
                 std::uint32_t crop_end, const TensorShape& input, const TensorShape& output) {
  BatchToSpaceDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(sizes.size());
  std::copy_n(sizes.begin(), std::min<std::size_t>(sizes.size(), kMaxSpatialRank),
              descriptor.block);
  descriptor.crops_begin[0] = crop_begin;
  descriptor.crops_end[0] = crop_end;
  return MakeCase(LayerType::kBatchToSpace, descriptor, {input}, output);
}

std::vector<EdgeCase> MakeEdges() {
  const Elements thirds = {0, 3, 6, 1, 4, 7, 2, 5, 8};
  return {
      {Blocks({2}, 0, 0, {2, 1, 2}, {1, 1, 4}), {{1, 3, 2, 4}}, {{1, 2, 3, 4}}},
      // Whole blocks are cropped, and parts of them.
      {Blocks({3}, 4, 1, {3, 1, 3}, {1, 1, 4}), {thirds}, {{4, 5, 6, 7}}},
      {Blocks({3}, 4, 5, {3, 1, 3}, {1, 1, 0}), {thirds}, {{}}},
      {With(Blocks({2}, 0, 0, {4, 3, 2}, {2, 3, 4}), {MakeScaled(0, 1, 3)}, {MakeScaled(0, 1, 3)})},
  };
}

std::string RefuseShapes(const std::string& input, const std::string& output) {
  return "input 0 with shape " + input + " does not give an output with shape " + output +
         " with the blocks and the padding or crops of the descriptor";
}

std::vector<RefusedCase> MakeRefused() {
  return {
      {Blocks({2}, 0, 0, {3, 1, 2}, {1, 1, 4}), "wrong-shape", "extent 3 at axis 0",
       "a multiple of 2", RefuseShapes("[3, 1, 2]", "[1, 1, 4]")},
      {Blocks({2}, 3, 4, {2, 1, 3}, {1, 1, 0}), "invalid-descriptor",
       "crops 3 and 4 at spatial axis 0", "at most 6", RefuseShapes("[2, 1, 3]", "[1, 1, 0]")},
      {Blocks({2, 2}, 0, 0, {4, 1, 4}, {1, 1, 8}), "wrong-rank", "float32 [4, 1, 4]", "rank 4",
       "input 0 has rank 3, but must have rank 4 for spatial rank 2"},
      {Blocks({0}, 0, 0, {1, 1, 4}, {1, 1, 4}), "invalid-descriptor", "found 0", "1 or more",
       RefuseShapes("[1, 1, 4]", "[1, 1, 4]")},
      {Blocks({1, 1, 1, 1}, 0, 0, {1, 1, 4}, {1, 1, 4}), "invalid-descriptor", "found 4", "1 to 3",
       "spatial rank 4 is not supported, only 1 to 3"},
      {With(Blocks({2}, 0, 0, {4, 3, 2}, {2, 3, 4}), {MakeScaled(0, 0, 4)}, {MakeScaled(0, 0, 2)}),
       "wrong-data-type", "along axis 0", "one scale",
       "input 0 is quantised along axis 0, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace batch_to_space

// Only scales along the channels are kept.
BACKPLANE_ELEMENT_ORACLE(BatchToSpace, batch_to_space, MoveEverything(false));

}  // namespace conformance
}  // namespace backplane
