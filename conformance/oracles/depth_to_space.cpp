#include "conformance/block_case.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace conformance {
namespace depth_to_space {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeDepthCases<DepthToSpaceDescriptor>(LayerType::kDepthToSpace, BlockDirection::kToSpace,
                                                random);
}

template <typename Number>
Number EvaluateAt(const LayerCase& layer, const Operands<Number>& inputs, Indices at) {
  const auto descriptor = layer.Get<DepthToSpaceDescriptor>();
  const std::int64_t block = descriptor.block_size;
  std::int64_t place = 0;
  std::int64_t places = 1;
  for (std::size_t axis = 2; axis < at.size(); ++axis) {
    place = place * block + at[axis] % block;
    places *= block;
    at[axis] /= block;
  }
  const bool is_block_first = descriptor.order == DepthOrder::kBlockFirst;
  at[1] = is_block_first ? place * layer.outputs[0][1] + at[1] : at[1] * places + place;
  return inputs[0].At(at);
}

LayerCase Blocks(std::uint32_t size, DepthOrder order, const TensorShape& input,
                 const TensorShape& output) {
  DepthToSpaceDescriptor descriptor;
  descriptor.block_size = size;
  descriptor.order = order;
  return MakeCase(LayerType::kDepthToSpace, descriptor, {input}, output);
}

constexpr DepthOrder kBlockFirst = DepthOrder::kBlockFirst;

std::vector<EdgeCase> MakeEdges() {
  const Elements eight = {0, 1, 2, 3, 4, 5, 6, 7};
  return {
      {Blocks(2, kBlockFirst, {1, 8, 1, 1}, {1, 2, 2, 2}), {eight}, {{0, 2, 4, 6, 1, 3, 5, 7}}},
      {Blocks(2, DepthOrder::kChannelFirst, {1, 8, 1, 1}, {1, 2, 2, 2}), {eight}, {eight}},
      {Blocks(2, kBlockFirst, {1, 2, 3}, {1, 1, 6}), {{0, 1, 2, 3, 4, 5}}, {{0, 3, 1, 4, 2, 5}}},
      {Blocks(2, kBlockFirst, {1, 0, 2, 2}, {1, 0, 4, 4}), {{}}, {{}}},
      {Blocks(1, kBlockFirst, {1, 3, 0}, {1, 3, 0}), {{}}, {{}}},
  };
}

std::vector<RefusedCase> MakeRefused() {
  const char* const from_1 = ", only blocks of 1 or more and ranks 3 to 5";
  const LayerCase channels = With(Blocks(2, kBlockFirst, {2, 8, 3, 5}, {2, 2, 6, 10}),
                                  {MakeScaled(0, 1, 8)}, {MakeScaled(0, 1, 2)});
  return {
      {Blocks(2, kBlockFirst, {1, 6, 2, 2}, {1, 1, 4, 4}), "wrong-shape", "extent 6 at axis 1",
       "a multiple of 4",
       "input 0 with shape [1, 6, 2, 2] does not give an output with shape [1, 1, 4, 4] with "
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

}  // namespace depth_to_space

BACKPLANE_ELEMENT_ORACLE(DepthToSpace, depth_to_space, MoveEverything(true));

}  // namespace conformance
}  // namespace backplane
