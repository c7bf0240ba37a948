#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/batch_space_kernel.hpp"

#include <backplane/api/descriptors/batch_to_space.hpp>

namespace backplane {
namespace reference {
namespace {

BatchSpace GetBatchSpaceBack(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<BatchToSpaceDescriptor>();
  return BatchSpace(layer.Output().shape, layer.Input(0).shape, descriptor.spatial_rank,
                    descriptor.block, descriptor.crops_begin, descriptor.crops_end);
}

}  // namespace

std::string FindRefusalOfBatchToSpace(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<BatchToSpaceDescriptor>();
  if (CheckBatchSpace(layer, descriptor.spatial_rank, refusal)) {
    RequireSound(layer, GetBatchSpaceBack(layer), refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeBatchToSpace(const Layer& layer) {
  return std::make_unique<BatchSpaceKernel>(GetBatchSpaceBack(layer),
                                            BatchSpace::Direction::kToSpace,
                                            GetDataTypeSizeBytes(layer.Output().data_type));
}

}  // namespace reference
}  // namespace backplane
