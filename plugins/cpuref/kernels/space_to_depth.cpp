#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/depth_space.hpp"

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
  CheckDepthSpace(layer, GetSides(layer), refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSpaceToDepth(const Layer& layer) {
  return MakeSpaceToDepthKernel(GetSides(layer));
}

}  // namespace cpuref
}  // namespace backplane
