#include "test/block_case.hpp"

#include <backplane/api/descriptors/batch_to_space.hpp>

namespace backplane {
namespace cpuref_test {
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

}  // namespace batch_to_space

// Only scales along the channels are kept.
CPUREF_ELEMENT_ORACLE(BatchToSpace, batch_to_space, MoveEverything(false));

}  // namespace cpuref_test
}  // namespace backplane
