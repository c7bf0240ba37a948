#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/channel_groups.hpp"

#include <backplane/api/descriptors/group_normalization.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class GroupNormalizationKernel : public Kernel {
 public:
  explicit GroupNormalizationKernel(const Layer& layer)
      : GroupNormalizationKernel(layer.Input(0).shape,
                                 layer.GetDescriptor<GroupNormalizationDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    NormalizeChannelGroups<Number>(groups_, tensors);
  }

 private:
  GroupNormalizationKernel(const TensorShape& shape, const GroupNormalizationDescriptor& descriptor)
      : groups_(MakeChannelGroups(shape, descriptor.num_groups, descriptor.epsilon)) {}

  const ChannelGroups groups_;
};

}  // namespace

std::string FindRefusalOfGroupNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireGroupNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeGroupNormalization(const Layer& layer) {
  return MakeFloatKernel<GroupNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
