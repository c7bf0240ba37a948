#include "products/bias_fill.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

class BiasFillKernel : public Kernel {
 public:
  BiasFillKernel(const TensorShape& output, std::uint32_t channel_axis, bool has_bias)
      : num_channels_(channel_axis < output.rank ? output[channel_axis] : 1), has_bias_(has_bias) {
    for (std::uint32_t axis = 0; axis < std::min(channel_axis, output.rank); ++axis)
      outer_ *= output[axis];
    for (std::uint32_t axis = channel_axis + 1; axis < output.rank; ++axis) inner_ *= output[axis];
  }

  void Run(const KernelRun& run) const override {
    auto* output = run.Output<float>();
    for (std::int64_t i = 0; i < outer_ * num_channels_; ++i) {
      const float value = has_bias_ ? run.Input<float>(2)[i % num_channels_] : 0.0F;
      std::fill_n(output + i * inner_, inner_, value);
    }
  }

 private:
  std::int64_t outer_ = 1;
  std::int64_t num_channels_;
  std::int64_t inner_ = 1;
  bool has_bias_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeBiasFill(KernelMaker& maker, std::uint32_t channel_axis) {
  const std::uint32_t num_inputs = CountLayerInputs(maker.GetNode());
  for (std::uint32_t index = 0; index < num_inputs; ++index) maker.WantPlain(index);
  return std::make_unique<BiasFillKernel>(maker.GetOutput().info.shape, channel_axis,
                                          HasBias(maker.GetNode()));
}

}  // namespace cpuacc
}  // namespace backplane
