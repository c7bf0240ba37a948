#include "test/block_case.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace depth_to_space

CPUREF_ELEMENT_ORACLE(DepthToSpace, depth_to_space, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
