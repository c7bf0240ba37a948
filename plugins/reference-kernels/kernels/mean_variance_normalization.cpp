#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/moments.hpp"

#include <backplane/api/descriptors/mean_variance_normalization.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class MeanVarianceNormalizationKernel : public Kernel {
 public:
  explicit MeanVarianceNormalizationKernel(const Layer& layer)
      : MeanVarianceNormalizationKernel(
            layer, layer.GetDescriptor<MeanVarianceNormalizationDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    groups_.VisitBlocks([&](const AxisGroups::Block& block) { RunBlock(input, block, output); });
  }

 private:
  MeanVarianceNormalizationKernel(const Layer& layer,
                                  const MeanVarianceNormalizationDescriptor& descriptor)
      : groups_(layer.Input(0).shape, ReadSoundAxes(layer, descriptor)),
        epsilon_(static_cast<double>(descriptor.epsilon)) {}

  static AxisSet ReadSoundAxes(const Layer& layer,
                               const MeanVarianceNormalizationDescriptor& descriptor) {
    Refusal refusal;
    return ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  }

  void RunBlock(const Number* input, const AxisGroups::Block& block, Number* output) const {
    double means[AxisGroups::kLanes] = {};
    double deviations[AxisGroups::kLanes] = {};
    ComputeMoments(groups_, input, block, means, deviations);
    for (double& deviation : deviations) deviation = std::sqrt(deviation) + epsilon_;
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      for (std::int64_t i = 0; i < width; ++i) {
        const double difference = static_cast<double>(input[offset + i]) - means[i];
        output[offset + i] = static_cast<Number>(difference / deviations[i]);
      }
    });
  }

  const AxisGroups groups_;
  const double epsilon_;
};

}  // namespace

std::string FindRefusalOfMeanVarianceNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  const auto descriptor = layer.GetDescriptor<MeanVarianceNormalizationDescriptor>();
  const TensorShape& shape = layer.Input(0).shape;
  ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeMeanVarianceNormalization(const Layer& layer) {
  return MakeFloatKernel<MeanVarianceNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
