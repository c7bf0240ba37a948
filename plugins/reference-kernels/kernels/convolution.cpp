#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/requantisation.hpp"
#include "cpu_layers/window.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/integer_product.hpp"
#include "kernels/matrix_multiply.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <algorithm>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// As a product of matrices: what lies under the windows of neighbouring outputs is laid out as the
/// columns of one, and the filters are the rows of the other.
template <typename Number>
class ConvolutionKernel : public Kernel {
 public:
  explicit ConvolutionKernel(const Layer& layer)
      : ConvolutionKernel(layer, layer.GetDescriptor<ConvolutionDescriptor>()) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>((inner_ + num_filters_) * most_columns_) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t image = 0; image < num_images_; ++image) {
      for (std::int64_t group = 0; group < groups_; ++group) {
        RunGroup(tensors, group, input, output);
        input += num_channels_ * GetVolume(&WindowAxis::input);
        output += num_filters_ * GetVolume(&WindowAxis::output);
      }
    }
  }

 private:
  /// Neighbouring outputs in one row; rows are counted through depth and height.
  struct Outputs {
    std::int64_t row;
    std::int64_t begin;
    std::int64_t end;
  };

  ConvolutionKernel(const Layer& layer, const ConvolutionDescriptor& descriptor)
      : window_(MergePointwiseAxes(MakeWindow(descriptor, layer.Input(1).shape.dims + 2,
                                              layer.Input(0).shape, layer.Output().shape))),
        covered_columns_(GetCoveredOutputs(window_[2])),
        num_images_(layer.Input(0).shape[0]),
        groups_(descriptor.groups),
        num_channels_(layer.Input(1).shape[1]),
        num_filters_(layer.Input(1).shape[0] / groups_),
        inner_(num_channels_ * GetVolume(&WindowAxis::kernel)),
        most_columns_(std::min(window_[2].output, kColumnsAtOnce)),
        has_bias_(layer.num_inputs == 3) {}

  std::int64_t GetVolume(std::int64_t WindowAxis::*extent) const {
    return window_[0].*extent * window_[1].*extent * window_[2].*extent;
  }

  void RunGroup(const RunTensors& tensors, std::int64_t group, const Number* input,
                Number* output) const {
    const Number* weights = tensors.Input<Number>(1) + group * num_filters_ * inner_;
    const Number* bias = has_bias_ ? tensors.Input<Number>(2) + group * num_filters_ : nullptr;
    auto* columns = tensors.GetScratch<Number>();
    Number* sums = columns + inner_ * most_columns_;
    const std::int64_t num_rows = window_[0].output * window_[1].output;
    const std::int64_t width = window_[2].output;
    for (Outputs outputs{0, 0, 0}; outputs.row < num_rows; ++outputs.row) {
      for (outputs.begin = 0; outputs.begin < width; outputs.begin = outputs.end) {
        outputs.end = std::min(outputs.begin + most_columns_, width);
        const std::int64_t count = outputs.end - outputs.begin;
        LayOutColumns(outputs, input, columns);
        std::fill_n(sums, num_filters_ * count, Number{});
        AddMatrixProduct({num_filters_, inner_, count, {inner_, 1}, {count, 1}}, weights, columns,
                         sums);
        for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
          const Number addend = bias == nullptr ? Number{} : bias[filter];
          std::transform(sums + filter * count, sums + (filter + 1) * count,
                         output + (filter * num_rows + outputs.row) * width + outputs.begin,
                         [=](Number sum) { return sum + addend; });
        }
      }
    }
  }

  /// A column for each output; a row for each element of the window. Padding is 0.
  void LayOutColumns(const Outputs& outputs, const Number* input, Number* columns) const {
    const WindowAxis& width = window_[2];
    const std::int64_t count = outputs.end - outputs.begin;
    std::fill_n(columns, inner_ * count, Number{});
    for (std::int64_t channel = 0; channel < num_channels_; ++channel) {
      VisitInputRows(window_, outputs.row / window_[1].output, outputs.row % window_[1].output,
                     [&](std::int64_t kernel_row, std::int64_t input_row) {
                       for (std::int64_t k = 0; k < width.kernel; ++k) {
                         const OutputRange& covered = covered_columns_[static_cast<std::size_t>(k)];
                         const std::int64_t begin = std::max(covered.begin, outputs.begin);
                         const std::int64_t length = std::min(covered.end, outputs.end) - begin;
                         if (length <= 0) continue;
                         const Number* from =
                             input + input_row * width.input + width.GetInputIndex(begin, k);
                         Number* to = columns + (kernel_row * width.kernel + k) * count + begin -
                                      outputs.begin;
                         WithStride(width.stride, [=](auto stride) {
                           for (std::int64_t i = 0; i < length; ++i) to[i] = from[i * stride];
                         });
                       }
                     });
      input += GetVolume(&WindowAxis::input);
      columns += GetVolume(&WindowAxis::kernel) * count;
    }
  }

  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t num_images_;
  const std::int64_t groups_;
  const std::int64_t num_channels_;  // of one group
  const std::int64_t num_filters_;   // of one group
  const std::int64_t inner_;         // elements of a filter
  const std::int64_t most_columns_;  // that are laid out at once
  const bool has_bias_;
};

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeConvolutionOfDoubles(const Layer& layer) {
  return std::make_unique<ConvolutionKernel<double>>(layer);
}

std::unique_ptr<Kernel> MakeConvolution(const Layer& layer) {
  if (HasIntegerForm(layer, 0)) {
    return MakeQuantisedProduct(layer, 0, MakeAxisSpan(layer.Output().shape, 1),
                                MakeConvolutionOfDoubles(layer));
  }
  return MakeRingKernel<ConvolutionKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
