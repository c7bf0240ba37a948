#include "test/block_case.hpp"

#include <backplane/api/descriptors/space_to_batch.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace space_to_batch

// Only scales along the channels are kept.
CPUREF_ELEMENT_ORACLE(SpaceToBatch, space_to_batch, MoveEverything(false));

}  // namespace cpuref_test
}  // namespace backplane
