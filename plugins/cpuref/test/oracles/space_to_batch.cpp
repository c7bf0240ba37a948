#include "test/moved_case.hpp"

#include <backplane/api/descriptors/space_to_batch.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<LayerCase> MakeCases(Random& random) {
  SpaceToBatchDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape batch = random.Shape(descriptor.spatial_rank + 2, 1, 3);
  TensorShape space = batch;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.block[i] = random.Word(1, 3);
    batch[0] *= descriptor.block[i];
    const auto whole = static_cast<std::uint32_t>(batch[i + 2]) * descriptor.block[i];
    descriptor.pads_begin[i] = random.Word(0, whole - 1);
    descriptor.pads_end[i] = random.Word(0, whole - 1 - descriptor.pads_begin[i]);
    space[i + 2] = whole - descriptor.pads_begin[i] - descriptor.pads_end[i];
  }
  return {MakeCase(LayerType::kSpaceToBatch, descriptor, {space}, batch)};
}

/// Only scales along the channels are kept.
LayerTraits GetTraits(const LayerCase& /*layer*/) {
  return MoveEverything(false);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<SpaceToBatchDescriptor>();
  return EvaluateEach<Number>(layer, output, [&](Indices at) {
    std::int64_t place = at[0] / layer.inputs[0][0];
    at[0] %= layer.inputs[0][0];
    for (std::uint32_t i = descriptor.spatial_rank; i-- > 0;) {
      std::int64_t& index = at[i + 2];
      index = index * descriptor.block[i] + place % descriptor.block[i] - descriptor.pads_begin[i];
      place /= descriptor.block[i];
      if (index < 0 || index >= layer.inputs[0][i + 2]) return Number{0};
    }
    return inputs[0].At(at);
  });
}

}  // namespace

CPUREF_ORACLE(SpaceToBatch);

}  // namespace cpuref_test
}  // namespace backplane
