#include "cpu_layers/depth_space.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"

#include <backplane/api/descriptors/space_to_depth.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfSpaceToDepth(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<SpaceToDepthDescriptor>();
  RequireDepthSpace(
      layer, {layer.Output(), layer.Input(0), descriptor.block_size, descriptor.order}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSpaceToDepth(KernelMaker& maker) {
  maker.WantAllPlain();
  const auto descriptor = maker.GetNode().GetDescriptor<SpaceToDepthDescriptor>();
  return MakeMove(cpu_layers::MakeCopy(
      {maker.GetOutput().info, maker.GetInput(0).info, descriptor.block_size, descriptor.order},
      DepthSpaceDirection::kToDepth));
}

}  // namespace cpuacc
}  // namespace backplane
