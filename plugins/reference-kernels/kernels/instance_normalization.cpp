#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/channel_groups.hpp"

#include <backplane/api/descriptors/instance_normalization.hpp>

namespace backplane {
namespace reference {
namespace {

/// Each channel is a group of its own.
template <typename Number>
class InstanceNormalizationKernel : public Kernel {
 public:
  explicit InstanceNormalizationKernel(const Layer& layer)
      : groups_(MakeChannelGroups(layer.Input(0).shape, layer.Input(0).shape[1],
                                  layer.GetDescriptor<InstanceNormalizationDescriptor>().epsilon)) {
  }

  void Run(const RunTensors& tensors) const override {
    NormalizeChannelGroups<Number>(groups_, tensors);
  }

 private:
  const ChannelGroups groups_;
};

}  // namespace

std::string FindRefusalOfInstanceNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireChannelShapes(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeInstanceNormalization(const Layer& layer) {
  return MakeFloatKernel<InstanceNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
