#include "test/block_case.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace space_to_depth

CPUREF_ELEMENT_ORACLE(SpaceToDepth, space_to_depth, MoveEverything(true));

}  // namespace cpuref_test
}  // namespace backplane
