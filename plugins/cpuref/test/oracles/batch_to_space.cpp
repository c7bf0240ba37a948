#include "test/moved_case.hpp"

#include <backplane/api/descriptors/batch_to_space.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

std::vector<LayerCase> MakeCases(Random& random) {
  BatchToSpaceDescriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape batch = random.Shape(descriptor.spatial_rank + 2, 1, 3);
  TensorShape space = batch;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.block[i] = random.Word(1, 3);
    batch[0] *= descriptor.block[i];
    const auto whole = static_cast<std::uint32_t>(batch[i + 2]) * descriptor.block[i];
    descriptor.crops_begin[i] = random.Word(0, whole - 1);
    descriptor.crops_end[i] = random.Word(0, whole - 1 - descriptor.crops_begin[i]);
    space[i + 2] = whole - descriptor.crops_begin[i] - descriptor.crops_end[i];
  }
  return {MakeCase(LayerType::kBatchToSpace, descriptor, {batch}, space)};
}

/// Only scales along the channels are kept.
LayerTraits GetTraits(const LayerCase& /*layer*/) {
  return MoveEverything(false);
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<BatchToSpaceDescriptor>();
  return EvaluateEach<Number>(layer, output, [&](Indices at) {
    std::int64_t place = 0;
    for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
      const std::int64_t index = at[i + 2] + descriptor.crops_begin[i];
      place = place * descriptor.block[i] + index % descriptor.block[i];
      at[i + 2] = index / descriptor.block[i];
    }
    at[0] += place * layer.outputs[0][0];
    return inputs[0].At(at);
  });
}

}  // namespace

CPUREF_ORACLE(BatchToSpace);

}  // namespace cpuref_test
}  // namespace backplane
