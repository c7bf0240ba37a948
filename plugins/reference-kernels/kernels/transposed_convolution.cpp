#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/window.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/matrix_multiply.hpp"

#include <backplane/api/descriptors/transposed_convolution.hpp>

#include <algorithm>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// The window of a convolution that reads what the layer writes.
Window MakeOppositeWindow(const Layer& layer, const TransposedConvolutionDescriptor& descriptor) {
  return MakeWindow(descriptor, layer.Input(1).shape.dims + 2, layer.Output().shape,
                    layer.Input(0).shape);
}

/// What neighbouring elements of the input give to all elements of the windows that they spread
/// over is a product of matrices, whose rows are then added up where the windows lie.
template <typename Number>
class TransposedConvolutionKernel : public Kernel {
 public:
  explicit TransposedConvolutionKernel(const Layer& layer)
      : TransposedConvolutionKernel(layer, layer.GetDescriptor<TransposedConvolutionDescriptor>()) {
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(num_spread_ * most_columns_) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    const std::int64_t plane = GetVolume(&WindowAxis::input);
    for (std::int64_t image = 0; image < num_images_; ++image) {
      for (std::int64_t group = 0; group < groups_; ++group) {
        for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
          const std::int64_t number = group * num_filters_ + filter;
          std::fill_n(output + filter * plane, plane,
                      has_bias_ ? tensors.Input<Number>(2)[number] : Number{});
        }
        SpreadGroup(tensors, group, input, output);
        input += num_channels_ * GetVolume(&WindowAxis::output);
        output += num_filters_ * plane;
      }
    }
  }

 private:
  /// Neighbouring elements of the input in one row; rows are counted through depth and height.
  struct Inputs {
    std::int64_t row;
    std::int64_t begin;
    std::int64_t end;
  };

  TransposedConvolutionKernel(const Layer& layer, const TransposedConvolutionDescriptor& descriptor)
      : window_(MakeOppositeWindow(layer, descriptor)),
        covered_columns_(GetCoveredOutputs(window_[2])),
        num_images_(layer.Input(0).shape[0]),
        groups_(descriptor.groups),
        num_channels_(layer.Input(1).shape[0] / groups_),
        num_filters_(layer.Input(1).shape[1]),
        num_spread_(num_filters_ * GetVolume(&WindowAxis::kernel)),
        most_columns_(std::min(window_[2].output, kColumnsAtOnce)),
        has_bias_(layer.num_inputs == 3) {}

  std::int64_t GetVolume(std::int64_t WindowAxis::*extent) const {
    return window_[0].*extent * window_[1].*extent * window_[2].*extent;
  }

  void SpreadGroup(const RunTensors& tensors, std::int64_t group, const Number* input,
                   Number* output) const {
    // [channels, filters, window...]
    const Number* weights = tensors.Input<Number>(1) + group * num_channels_ * num_spread_;
    auto* spread = tensors.GetScratch<Number>();
    const std::int64_t width = window_[2].output;
    MatrixProduct product;
    product.rows = num_spread_;
    product.inner = num_channels_;
    product.a = {1, num_spread_};
    product.b = {GetVolume(&WindowAxis::output), 1};
    for (Inputs inputs{0, 0, 0}; inputs.row < window_[0].output * window_[1].output; ++inputs.row) {
      for (inputs.begin = 0; inputs.begin < width; inputs.begin = inputs.end) {
        inputs.end = std::min(inputs.begin + most_columns_, width);
        product.columns = inputs.end - inputs.begin;
        std::fill_n(spread, num_spread_ * product.columns, Number{});
        AddMatrixProduct(product, weights, input + inputs.row * width + inputs.begin, spread);
        AddSpread(inputs, spread, output);
      }
    }
  }

  void AddSpread(const Inputs& inputs, const Number* spread, Number* output) const {
    const WindowAxis& width = window_[2];
    const std::int64_t count = inputs.end - inputs.begin;
    for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
      VisitInputRows(window_, inputs.row / window_[1].output, inputs.row % window_[1].output,
                     [&](std::int64_t kernel_row, std::int64_t output_row) {
                       for (std::int64_t k = 0; k < width.kernel; ++k) {
                         const OutputRange& covered = covered_columns_[static_cast<std::size_t>(k)];
                         const std::int64_t begin = std::max(covered.begin, inputs.begin);
                         const std::int64_t length = std::min(covered.end, inputs.end) - begin;
                         if (length <= 0) continue;
                         const Number* from = spread + (kernel_row * width.kernel + k) * count +
                                              begin - inputs.begin;
                         Number* to =
                             output + output_row * width.input + width.GetInputIndex(begin, k);
                         for (std::int64_t i = 0; i < length; ++i) to[i * width.stride] += from[i];
                       }
                     });
      spread += GetVolume(&WindowAxis::kernel) * count;
      output += GetVolume(&WindowAxis::input);
    }
  }

  const Window window_;
  const std::vector<OutputRange> covered_columns_;  // of the input, for elements of a window
  const std::int64_t num_images_;
  const std::int64_t groups_;
  const std::int64_t num_channels_;  // of one group
  const std::int64_t num_filters_;   // of one group
  const std::int64_t num_spread_;    // what one element of all channels is spread to
  const std::int64_t most_columns_;
  const bool has_bias_;
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

}  // namespace reference
}  // namespace backplane
