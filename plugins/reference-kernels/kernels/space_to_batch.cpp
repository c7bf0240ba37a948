#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/batch_space_kernel.hpp"

#include <backplane/api/descriptors/space_to_batch.hpp>

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

BatchSpace GetBatchSpace(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<SpaceToBatchDescriptor>();
  return BatchSpace(layer.Input(0).shape, layer.Output().shape, descriptor.spatial_rank,
                    descriptor.block, descriptor.pads_begin, descriptor.pads_end);
}

/// Makes everything 0 first, where there is padding.
class PaddedSpaceToBatchKernel : public Kernel {
 public:
  explicit PaddedSpaceToBatchKernel(const Layer& layer)
      : zeros_(layer.Output()),
        num_elements_(layer.Output().shape.GetNumElements()),
        copies_(GetBatchSpace(layer), BatchSpace::Direction::kToBatch,
                GetDataTypeSizeBytes(layer.Output().data_type)) {}

  void Run(const RunTensors& tensors) const override {
    zeros_.Fill(tensors.Output<void>(), 0, num_elements_);
    copies_.Run(tensors);
  }

 private:
  const ZeroElements zeros_;
  const std::int64_t num_elements_;
  const BatchSpaceKernel copies_;
};

bool IsPadded(const SpaceToBatchDescriptor& descriptor) {
  const auto is_padding = [](std::uint32_t pad) { return pad != 0; };
  const std::uint32_t rank = descriptor.spatial_rank;
  return std::any_of(descriptor.pads_begin, descriptor.pads_begin + rank, is_padding) ||
         std::any_of(descriptor.pads_end, descriptor.pads_end + rank, is_padding);
}

}  // namespace

std::string FindRefusalOfSpaceToBatch(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<SpaceToBatchDescriptor>();
  RequireZeros(layer.Output(), refusal);
  if (CheckBatchSpace(layer, descriptor.spatial_rank, refusal)) {
    RequireSound(layer, GetBatchSpace(layer), refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSpaceToBatch(const Layer& layer) {
  if (IsPadded(layer.GetDescriptor<SpaceToBatchDescriptor>())) {
    return std::make_unique<PaddedSpaceToBatchKernel>(layer);
  }
  return std::make_unique<BatchSpaceKernel>(GetBatchSpace(layer), BatchSpace::Direction::kToBatch,
                                            GetDataTypeSizeBytes(layer.Output().data_type));
}

}  // namespace reference
}  // namespace backplane
