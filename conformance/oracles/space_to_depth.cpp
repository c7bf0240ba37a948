#include "conformance/block_case.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace conformance {
namespace space_to_depth {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeDepthCases<SpaceToDepthDescriptor>(LayerType::kSpaceToDepth,
                                                BlockDirection::kFromSpace, random);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<SpaceToDepthDescriptor>();
  const std::int64_t block = descriptor.block_size;
  const std::int64_t channels = layer.inputs[0][1];
  const std::int64_t places = layer.outputs[0][1] / channels;
  const bool is_block_first = descriptor.order == DepthOrder::kBlockFirst;
  std::int64_t place = is_block_first ? at[1] / channels : at[1] % places;
  at[1] = is_block_first ? at[1] % channels : at[1] / places;
  for (std::size_t axis = at.size() - 1; axis >= 2; --axis) {
    at[axis] = at[axis] * block + place % block;
    place /= block;
  }
  return inputs[0].At(at);
}

LayerCase Blocks(std::uint32_t size, DepthOrder order, const TensorShape& input,
                 const TensorShape& output) {
  SpaceToDepthDescriptor descriptor;
  descriptor.block_size = size;
  descriptor.order = order;
  return MakeCase(LayerType::kSpaceToDepth, descriptor, {input}, output);
}

constexpr DepthOrder kBlockFirst = DepthOrder::kBlockFirst;

std::vector<EdgeCase> MakeEdges() {
  const Elements eight = {0, 1, 2, 3, 4, 5, 6, 7};
  return {
      {Blocks(2, kBlockFirst, {1, 2, 2, 2}, {1, 8, 1, 1}), {eight}, {{0, 4, 1, 5, 2, 6, 3, 7}}},
      {Blocks(2, DepthOrder::kChannelFirst, {1, 2, 2, 2}, {1, 8, 1, 1}), {eight}, {eight}},
      {Blocks(1, kBlockFirst, {1, 3, 0}, {1, 3, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const char* const from_1 = ", only blocks of 1 or more and ranks 3 to 5";
  const LayerCase channels = With(Blocks(2, kBlockFirst, {2, 2, 6, 10}, {2, 8, 3, 5}),
                                  {MakeScaled(0, 1, 2)}, {MakeScaled(0, 1, 8)});
  return {
      {Blocks(2, kBlockFirst, {1, 1, 3, 2}, {1, 4, 1, 1}), "wrong-shape", "extent 3 at axis 2",
       "a multiple of 2",
       "input 0 with shape [1, 1, 3, 2] does not give an output with shape [1, 4, 1, 1] with "
       "blocks of 2"},
      {Blocks(1, kBlockFirst, {1, 4}, {1, 4}), "wrong-rank", "float32 [1, 4]", "rank 3 to 5",
       std::string("blocks of 1 and input 0 with shape [1, 4] are not supported") + from_1},
      {Blocks(0, kBlockFirst, {1, 4, 1, 1}, {1, 4, 1, 1}), "invalid-descriptor", "found 0",
       "1 or more",
       std::string("blocks of 0 and input 0 with shape [1, 4, 1, 1] are not supported") + from_1},
      {Blocks(0xffffffffU, kBlockFirst, {1, 4, 2, 2, 2}, {1, 4, 2, 2, 2}), "tensor-too-large",
       "4294967295", "63 bits",
       "input 0 with shape [1, 4, 2, 2, 2] does not give an output with shape [1, 4, 2, 2, 2] with "
       "blocks of 4294967295"},
      {Blocks(1, DepthOrder{3}, {1, 4, 1, 1}, {1, 4, 1, 1}), "invalid-descriptor", "number 3",
       "BlockFirst or ChannelFirst",
       "order 3 is not supported, only BlockFirst (1) and ChannelFirst (2)"},
      {channels, "wrong-data-type", "along axis 1", "one scale",
       "input 0 is quantised along axis 1, which does not stay as it is; the quantisation of input "
       "0 differs from that of the output; conversions are not supported"},
  };
}

}  // namespace space_to_depth

BACKPLANE_ELEMENT_ORACLE(SpaceToDepth, space_to_depth, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
