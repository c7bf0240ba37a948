#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/panel_convolution.hpp"

#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <algorithm>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// The window of a layer that has passed RequireConvolutionRanks.
Window MakeTransposedWindow(const Layer& layer, const TransposedConvolutionDescriptor& descriptor) {
  return MakeWindow(descriptor, layer.Input(1).shape.dims + 2, layer.Input(0).shape,
                    layer.Output().shape);
}

/// Seen from the output: each element is a sum over the inputs whose windows it lies in. With a
/// stride these are the same ones, shifted, for each stride-th element, so that the outputs are
/// made phase by phase, each as a convolution without stride.
template <typename Number>
class TransposedConvolutionKernel : public Kernel {
 public:
  explicit TransposedConvolutionKernel(const Layer& layer)
      : TransposedConvolutionKernel(layer, layer.GetDescriptor<TransposedConvolutionDescriptor>()) {
  }

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t weights = num_channels_ * num_filters_ * kernel_volume_;
    return static_cast<std::uint64_t>(weights + convolution_.GetScratchElements()) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    for (const TapAxis& depth : phases_[0]) {
      for (const TapAxis& height : phases_[1]) {
        for (const TapAxis& width : phases_[2]) RunPhase({&depth, &height, &width}, tensors);
      }
    }
  }

 private:
  TransposedConvolutionKernel(const Layer& layer, const TransposedConvolutionDescriptor& descriptor)
      : window_(MakeTransposedWindow(layer, descriptor)),
        num_images_(layer.Input(0).shape[0]),
        groups_(descriptor.groups),
        num_channels_(layer.Input(1).shape[0] / groups_),
        num_filters_(layer.Input(1).shape[1]),
        kernel_volume_(window_[0].kernel * window_[1].kernel * window_[2].kernel),
        has_bias_(layer.num_inputs == 3),
        convolution_(num_channels_, num_filters_,
                     {window_[0].output, window_[1].output, window_[2].output}) {
    for (std::uint32_t i = 0; i < kMaxSpatialRank; ++i) phases_[i] = MakeTapPhases(window_[i]);
  }

  void RunPhase(const TapAxes& axes, const RunTensors& tensors) const {
    auto* weights = tensors.GetScratch<Number>();
    Number* scratch = weights + num_channels_ * num_filters_ * kernel_volume_;
    const std::int64_t input_group =
        num_channels_ * window_[0].input * window_[1].input * window_[2].input;
    const std::int64_t output_group =
        num_filters_ * window_[0].output * window_[1].output * window_[2].output;
    for (std::int64_t group = 0; group < groups_; ++group) {
      const std::int64_t weights_begin = group * num_channels_ * num_filters_ * kernel_volume_;
      PackWeights(axes, tensors.Input<Number>(1) + weights_begin, weights);
      const Number* bias = has_bias_ ? tensors.Input<Number>(2) + group * num_filters_ : nullptr;
      for (std::int64_t image = 0; image < num_images_; ++image) {
        const std::int64_t number = image * groups_ + group;
        convolution_.Run(axes,
                         {tensors.Input<Number>(0) + number * input_group, weights, bias,
                          tensors.Output<Number>() + number * output_group},
                         scratch);
      }
    }
  }

  /// From [channels, filters, kernel...] to [filters, channels, taps...].
  void PackWeights(const TapAxes& axes, const Number* weights, Number* packed) const {
    for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
      for (std::int64_t channel = 0; channel < num_channels_; ++channel) {
        const Number* kernel = weights + (channel * num_filters_ + filter) * kernel_volume_;
        for (const Tap& d : axes[0]->taps) {
          for (const Tap& h : axes[1]->taps) {
            const Number* row =
                kernel + (d.kernel_index * window_[1].kernel + h.kernel_index) * window_[2].kernel;
            for (const Tap& w : axes[2]->taps) *packed++ = row[w.kernel_index];
          }
        }
      }
    }
  }

  const Window window_;
  const std::int64_t num_images_;
  const std::int64_t groups_;
  const std::int64_t num_channels_;  // of one group
  const std::int64_t num_filters_;   // of one group
  const std::int64_t kernel_volume_;
  const bool has_bias_;
  const PanelConvolution<Number> convolution_;
  std::vector<TapAxis> phases_[kMaxSpatialRank];
};

}  // namespace

std::string FindRefusalOfTransposedConvolution(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireTransposedConvolution(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTransposedConvolution(const Layer& layer) {
  return MakeRingKernel<TransposedConvolutionKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
