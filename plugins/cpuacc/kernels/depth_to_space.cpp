#include "cpu_layers/depth_space.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"

#include <backplane/api/descriptors/depth_to_space.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfDepthToSpace(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<DepthToSpaceDescriptor>();
  RequireDepthSpace(
      layer, {layer.Input(0), layer.Output(), descriptor.block_size, descriptor.order}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeDepthToSpace(KernelMaker& maker) {
  maker.WantAllPlain();
  const auto descriptor = maker.GetNode().GetDescriptor<DepthToSpaceDescriptor>();
  return MakeMove(cpu_layers::MakeCopy(
      {maker.GetInput(0).info, maker.GetOutput().info, descriptor.block_size, descriptor.order},
      DepthSpaceDirection::kToSpace));
}

}  // namespace cpuacc
}  // namespace backplane
