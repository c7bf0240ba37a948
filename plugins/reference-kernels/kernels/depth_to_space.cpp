#include "cpu_layers/depth_space.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace reference {
namespace {

DepthSpace GetDepthSpaceBack(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<DepthToSpaceDescriptor>();
  return {layer.Input(0), layer.Output(), descriptor.block_size, descriptor.order};
}

}  // namespace

std::string FindRefusalOfDepthToSpace(const Layer& layer) {
  Refusal refusal;
  RequireDepthSpace(layer, GetDepthSpaceBack(layer), refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDepthToSpace(const Layer& layer) {
  return std::make_unique<StridedCopyKernel>(
      MakeCopy(GetDepthSpaceBack(layer), DepthSpaceDirection::kToSpace));
}

}  // namespace reference
}  // namespace backplane
