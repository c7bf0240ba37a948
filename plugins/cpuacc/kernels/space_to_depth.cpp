#include "cpu_layers/depth_space.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/strided_copy.hpp"

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
  StridedCopy copy(GetDataTypeSizeBytes(maker.GetOutput().info.data_type));
  for (const SharedAxis& axis : GetSharedAxes({maker.GetOutput().info, maker.GetInput(0).info,
                                               descriptor.block_size, descriptor.order})) {
    copy.AddAxis(axis.extent, axis.space_step, axis.depth_step);
  }
  return MakeMove(copy);
}

}  // namespace cpuacc
}  // namespace backplane
