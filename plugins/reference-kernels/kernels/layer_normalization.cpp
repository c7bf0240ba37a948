#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/normalization_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/moments.hpp"

#include <backplane/api/descriptors/layer_normalization.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class LayerNormalizationKernel : public Kernel {
 public:
  explicit LayerNormalizationKernel(const Layer& layer)
      : LayerNormalizationKernel(layer, layer.GetDescriptor<LayerNormalizationDescriptor>()) {}

  /// The mean and the inverse deviation are float32 whatever the values are.
  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t row = 0; row < num_rows_; ++row) {
      const Moments moments = ComputeMoments(input, row_elements_);
      const double inverse = 1.0 / std::sqrt(moments.variance + epsilon_);
      if (num_outputs_ >= 2) tensors.Output<float>(1)[row] = static_cast<float>(moments.mean);
      if (num_outputs_ >= 3) tensors.Output<float>(2)[row] = static_cast<float>(inverse);
      RunRow(tensors, moments.mean, inverse, input, output);
      input += row_elements_;
      output += row_elements_;
    }
  }

 private:
  LayerNormalizationKernel(const Layer& layer, const LayerNormalizationDescriptor& descriptor)
      : epsilon_(static_cast<double>(descriptor.epsilon)),
        num_outputs_(layer.num_outputs),
        has_bias_(layer.num_inputs == 3) {
    const AxisSpan span = MakeAxisSpan(layer.Input(0).shape, descriptor.axis);
    num_rows_ = span.outer;
    row_elements_ = Multiply(span.extent, span.inner);
  }

  void RunRow(const RunTensors& tensors, double mean, double inverse, const Number* input,
              Number* output) const {
    const Number* scale = tensors.Input<Number>(1);
    const auto scaled = [=](std::int64_t i) {
      return (static_cast<double>(input[i]) - mean) * inverse * static_cast<double>(scale[i]);
    };
    if (!has_bias_) {
      for (std::int64_t i = 0; i < row_elements_; ++i) output[i] = static_cast<Number>(scaled(i));
      return;
    }
    const Number* bias = tensors.Input<Number>(2);
    for (std::int64_t i = 0; i < row_elements_; ++i) {
      output[i] = static_cast<Number>(scaled(i) + static_cast<double>(bias[i]));
    }
  }

  const double epsilon_;
  const std::uint32_t num_outputs_;
  const bool has_bias_;
  std::int64_t num_rows_ = 0;
  std::int64_t row_elements_ = 0;
};

}  // namespace

std::string FindRefusalOfLayerNormalization(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kOwn, TensorRole::kOwn}});
  for (std::uint32_t i = 1; i < layer.num_outputs; ++i) RequireFloat32Output(layer, i, refusal);
  RequireLayerNormalization(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeLayerNormalization(const Layer& layer) {
  return MakeFloatKernel<LayerNormalizationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
