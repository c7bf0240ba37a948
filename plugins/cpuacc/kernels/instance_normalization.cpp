#include "axes/channel_groups.hpp"
#include "cpu_layers/channels.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/instance_normalization.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfInstanceNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireChannelShapes(layer, refusal);
  return refusal.GetReason();
}

/// Each channel is a group of its own.
std::unique_ptr<const Kernel> MakeInstanceNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<InstanceNormalizationDescriptor>();
  return MakeChannelGroups(maker, maker.GetInput(0).info.shape[1], descriptor.epsilon);
}

}  // namespace cpuacc
}  // namespace backplane
