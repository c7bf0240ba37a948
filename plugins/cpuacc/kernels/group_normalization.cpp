#include "axes/channel_groups.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfGroupNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireGroupNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGroupNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<GroupNormalizationDescriptor>();
  return MakeChannelGroups(maker, descriptor.num_groups, descriptor.epsilon);
}

}  // namespace cpuacc
}  // namespace backplane
