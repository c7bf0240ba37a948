#include "axes/channel_groups.hpp"
#include "cpu_layers/channels.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfGroupNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireChannelShapes(layer, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const std::int64_t num_channels = layer.Input(0).shape[1];
  const std::uint32_t num_groups = layer.GetDescriptor<GroupNormalizationDescriptor>().num_groups;
  if (num_groups == 0 || num_channels % num_groups != 0) {
    refusal.Add("num_groups is ", num_groups, ", but must divide the ", num_channels,
                " channels of input 0");
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGroupNormalization(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<GroupNormalizationDescriptor>();
  return MakeChannelGroups(maker, descriptor.num_groups, descriptor.epsilon);
}

}  // namespace cpuacc
}  // namespace backplane
