#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/depth_space.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace cpuref {
namespace {

DepthSpace GetSides(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<DepthToSpaceDescriptor>();
  return {layer.Input(0), layer.Output(), descriptor.block_size, descriptor.order};
}

}  // namespace

std::string FindRefusalOfDepthToSpace(const Layer& layer) {
  Refusal refusal;
  CheckDepthSpace(layer, GetSides(layer), refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeDepthToSpace(const Layer& layer) {
  return MakeDepthToSpaceKernel(GetSides(layer));
}

}  // namespace cpuref
}  // namespace backplane
