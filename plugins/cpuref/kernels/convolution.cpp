#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/convolution_refusal.hpp"
#include "kernels/quantised_convolution.hpp"
#include "kernels/window.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <algorithm>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// Adds `factor` times each `stride`-th element of a row of the input to a row of the output.
template <typename Number>
void AddScaledRow(const Number* __restrict input, std::int64_t stride, Number factor,
                  std::int64_t length, Number* __restrict output) {
  if (stride == 1) {
    for (std::int64_t i = 0; i < length; ++i) output[i] += factor * input[i];
  } else {
    for (std::int64_t i = 0; i < length; ++i) output[i] += factor * input[i * stride];
  }
}

/// The window of a layer that has passed CheckRanks.
Window MakeConvolutionWindow(const Layer& layer, const ConvolutionDescriptor& descriptor) {
  return MakeWindow(descriptor, layer.Input(1).shape.dims + 2, layer.Input(0).shape,
                    layer.Output().shape);
}

std::int64_t GetProduct(const Window& window, std::int64_t WindowAxis::*extent) {
  std::int64_t product = 1;
  for (const WindowAxis& axis : window) product *= axis.*extent;
  return product;
}

/// Each output row is made at once: it and the input rows under its windows stay in the cache
/// while all output channels are made from them.
template <typename Number>
class ConvolutionKernel : public Kernel {
 public:
  explicit ConvolutionKernel(const Layer& layer)
      : ConvolutionKernel(layer, layer.GetDescriptor<ConvolutionDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    const Number* bias = has_bias_ ? tensors.Input<Number>(2) : nullptr;
    Number* output = tensors.Output<Number>();
    for (std::int64_t n = 0; n < batches_; ++n) {
      const Number* weights = tensors.Input<Number>(1);
      for (std::int64_t group = 0; group < groups_; ++group) {
        RunGroup(input, weights, has_bias_ ? bias + group * output_channels_ : nullptr, output);
        input += input_channels_ * input_plane_;
        weights += output_channels_ * input_channels_ * kernel_volume_;
        output += output_channels_ * output_plane_;
      }
    }
  }

 private:
  ConvolutionKernel(const Layer& layer, const ConvolutionDescriptor& descriptor)
      : window_(MergePointwiseAxes(MakeConvolutionWindow(layer, descriptor))),
        covered_columns_(GetCoveredOutputs(window_[2])),
        batches_(layer.Input(0).shape[0]),
        groups_(descriptor.groups),
        input_channels_(layer.Input(1).shape[1]),
        output_channels_(layer.Input(1).shape[0] / groups_),
        input_plane_(GetProduct(window_, &WindowAxis::input)),
        output_plane_(GetProduct(window_, &WindowAxis::output)),
        kernel_volume_(GetProduct(window_, &WindowAxis::kernel)),
        has_bias_(layer.num_inputs == 3) {}

  void RunGroup(const Number* input, const Number* weights, const Number* bias,
                Number* output) const {
    for (std::int64_t d = 0; d < window_[0].output; ++d) {
      for (std::int64_t h = 0; h < window_[1].output; ++h) {
        Number* row = output + (d * window_[1].output + h) * window_[2].output;
        for (std::int64_t m = 0; m < output_channels_; ++m) {
          Number* channel_row = row + m * output_plane_;
          std::fill_n(channel_row, window_[2].output, bias != nullptr ? bias[m] : Number{});
          AddInputChannels(input, weights + m * input_channels_ * kernel_volume_, d, h,
                           channel_row);
        }
      }
    }
  }

  void AddInputChannels(const Number* input, const Number* weights, std::int64_t d, std::int64_t h,
                        Number* output_row) const {
    for (std::int64_t c = 0; c < input_channels_; ++c) {
      const Number* plane = input + c * input_plane_;
      const Number* kernel = weights + c * kernel_volume_;
      VisitInputRows(window_, d, h, [&](std::int64_t kernel_row, std::int64_t input_row) {
        AddRow(plane + input_row * window_[2].input, kernel + kernel_row * window_[2].kernel,
               output_row);
      });
    }
  }

  void AddRow(const Number* input_row, const Number* kernel_row, Number* output_row) const {
    const WindowAxis& width = window_[2];
    for (std::int64_t k = 0; k < width.kernel; ++k) {
      const OutputRange covered = covered_columns_[static_cast<std::size_t>(k)];
      if (covered.begin == covered.end) continue;
      AddScaledRow(input_row + width.GetInputIndex(covered.begin, k), width.stride, kernel_row[k],
                   covered.end - covered.begin, output_row + covered.begin);
    }
  }

  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t batches_;
  const std::int64_t groups_;
  const std::int64_t input_channels_;   // of one group
  const std::int64_t output_channels_;  // of one group
  const std::int64_t input_plane_;
  const std::int64_t output_plane_;
  const std::int64_t kernel_volume_;
  const bool has_bias_;
};

void CheckBias(const Layer& layer, Refusal& refusal) {
  const TensorShape bias = {layer.Input(1).shape[0]};
  if (layer.Input(2).shape == bias) return;
  refusal.Add("input 2 (bias) has shape ", DescribeShape(layer.Input(2).shape), ", but must have ",
              DescribeShape(bias));
}

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireConvolution(layer, refusal);
  if (layer.num_inputs == 3 && layer.Input(1).shape.rank > 0) CheckBias(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeConvolution(const Layer& layer) {
  auto quantised = MakeQuantisedConvolution(layer);
  if (quantised != nullptr) return quantised;
  return MakeRingKernel<ConvolutionKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
