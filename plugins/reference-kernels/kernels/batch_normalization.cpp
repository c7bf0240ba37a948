#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/batch_normalization.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class BatchNormalizationKernel : public Kernel {
 public:
  explicit BatchNormalizationKernel(const Layer& layer)
      : BatchNormalizationKernel(layer.Input(0).shape,
                                 layer.GetDescriptor<BatchNormalizationDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t outer = 0; outer < span_.outer; ++outer) {
      for (std::int64_t channel = 0; channel < span_.extent; ++channel) {
        RunChannel(tensors, channel, input, output);
        input += span_.inner;
        output += span_.inner;
      }
    }
  }

 private:
  BatchNormalizationKernel(const TensorShape& shape, const BatchNormalizationDescriptor& descriptor)
      : span_(MakeAxisSpan(shape, descriptor.axis)),
        epsilon_(static_cast<double>(descriptor.epsilon)) {}

  /// The mean is subtracted first: beside a large one the differences are all there is.
  void RunChannel(const RunTensors& tensors, std::int64_t channel, const Number* input,
                  Number* output) const {
    const auto get = [&](std::uint32_t index) {
      return static_cast<double>(tensors.Input<Number>(index)[channel]);
    };
    const double bias = get(2);
    const double mean = get(3);
    const double factor = get(1) / std::sqrt(get(4) + epsilon_);
    for (std::int64_t i = 0; i < span_.inner; ++i) {
      output[i] = static_cast<Number>((static_cast<double>(input[i]) - mean) * factor + bias);
    }
  }

  const AxisSpan span_;
  const double epsilon_;
};

}  // namespace

std::string FindRefusalOfBatchNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireBatchNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeBatchNormalization(const Layer& layer) {
  return MakeFloatKernel<BatchNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
