#include "cpu_layers/depth_space.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace reference {
namespace {

DepthSpace GetDepthSpace(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<SpaceToDepthDescriptor>();
  return {layer.Output(), layer.Input(0), descriptor.block_size, descriptor.order};
}

}  // namespace

std::string FindRefusalOfSpaceToDepth(const Layer& layer) {
  Refusal refusal;
  RequireDepthSpace(layer, GetDepthSpace(layer), refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSpaceToDepth(const Layer& layer) {
  return std::make_unique<StridedCopyKernel>(
      MakeCopy(GetDepthSpace(layer), DepthSpaceDirection::kToDepth));
}

}  // namespace reference
}  // namespace backplane
