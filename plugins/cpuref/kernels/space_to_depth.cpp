#include "cpu_layers/depth_space.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace cpuref {
namespace {

DepthSpace GetSides(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<SpaceToDepthDescriptor>();
  return {layer.Output(), layer.Input(0), descriptor.block_size, descriptor.order};
}

}  // namespace

std::string FindRefusalOfSpaceToDepth(const Layer& layer) {
  Refusal refusal;
  RequireDepthSpace(layer, GetSides(layer), refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSpaceToDepth(const Layer& layer) {
  return std::make_unique<StridedCopyKernel>(
      MakeCopy(GetSides(layer), DepthSpaceDirection::kToDepth));
}

}  // namespace cpuref
}  // namespace backplane
