#include "cpu_layers/convolution_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/matrix_multiply.hpp"
#include "kernels/panel_convolution.hpp"
#include "kernels/plane_convolution.hpp"
#include "kernels/quantised_convolution.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <algorithm>
#include <optional>

namespace backplane {
namespace cpuref {
namespace {

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

/// Which way a group of filters is computed.
enum class Method : std::uint32_t {
  kProduct,  // without a window, it is a product of matrices as it stands
  kPlanes,   // few filters
  kPanels,   // what lies under many filters is packed
};

/// Padding and dilation may be far larger than the tensors.
bool HasSmallPlanes(const Window& window) {
  double elements = 1.0;
  for (const WindowAxis& axis : window) {
    const std::int64_t span = (axis.kernel - 1) * axis.dilation + 1;
    elements *= static_cast<double>((axis.output - 1) * axis.stride + span);
  }
  const std::int64_t outputs = GetProduct(window, &WindowAxis::output);
  const std::int64_t inputs = GetProduct(window, &WindowAxis::input);
  constexpr double kAlwaysSmall = 65536.0;
  return outputs > 0 && elements <= kAlwaysSmall + 8.0 * static_cast<double>(inputs + outputs);
}

Method ChooseMethod(const Window& window, std::int64_t num_channels, std::int64_t num_filters) {
  // All axes have been merged.
  if (IsPointwise(window[0]) && IsPointwise(window[1]) && IsPointwise(window[2])) {
    return Method::kProduct;
  }
  // The planes of all channels of a group are copied at once, with all padding.
  constexpr std::int64_t kMostChannels = 4;
  const bool is_small = num_filters < kPanelRows && num_channels <= kMostChannels;
  return is_small && HasSmallPlanes(window) ? Method::kPlanes : Method::kPanels;
}

template <typename Number>
class ConvolutionKernel : public Kernel {
 public:
  explicit ConvolutionKernel(const Layer& layer)
      : ConvolutionKernel(layer, layer.GetDescriptor<ConvolutionDescriptor>()) {}

  std::uint64_t GetScratchBytes() const override {
    std::int64_t elements = 0;
    if (method_ == Method::kPlanes) elements = planes_->GetScratchElements();
    if (method_ == Method::kPanels) elements = panels_.GetScratchElements();
    return static_cast<std::uint64_t>(elements) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    const std::int64_t filter_elements = num_channels_ * GetProduct(window_, &WindowAxis::kernel);
    auto* scratch = tensors.GetScratch<Number>();
    ConvolutionOperands<Number> operands;
    operands.input = tensors.Input<Number>(0);
    operands.output = tensors.Output<Number>();
    for (std::int64_t image = 0; image < num_images_; ++image) {
      for (std::int64_t group = 0; group < groups_; ++group) {
        operands.weights = tensors.Input<Number>(1) + group * num_filters_ * filter_elements;
        if (has_bias_) operands.bias = tensors.Input<Number>(2) + group * num_filters_;
        RunGroup(operands, scratch);
        operands.input += num_channels_ * GetProduct(window_, &WindowAxis::input);
        operands.output += num_filters_ * GetProduct(window_, &WindowAxis::output);
      }
    }
  }

 private:
  ConvolutionKernel(const Layer& layer, const ConvolutionDescriptor& descriptor)
      : window_(MergePointwiseAxes(MakeConvolutionWindow(layer, descriptor))),
        num_images_(layer.Input(0).shape[0]),
        groups_(descriptor.groups),
        num_channels_(layer.Input(1).shape[1]),
        num_filters_(layer.Input(1).shape[0] / groups_),
        has_bias_(layer.num_inputs == 3),
        method_(ChooseMethod(window_, num_channels_, num_filters_)),
        axes_{MakeTapAxis(window_[0]), MakeTapAxis(window_[1]), MakeTapAxis(window_[2])},
        panels_(num_channels_, num_filters_,
                {window_[0].output, window_[1].output, window_[2].output}) {
    if (method_ == Method::kPlanes) planes_.emplace(window_, num_channels_, num_filters_);
  }

  void RunGroup(const ConvolutionOperands<Number>& operands, Number* scratch) const {
    switch (method_) {
      case Method::kProduct:
        return Multiply(operands);
      case Method::kPlanes:
        return planes_->Run(operands, scratch);
      case Method::kPanels:
        return panels_.Run({&axes_[0], &axes_[1], &axes_[2]}, operands, scratch);
    }
  }

  void Multiply(const ConvolutionOperands<Number>& operands) const {
    const std::int64_t positions = window_[2].output;
    for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
      std::fill_n(operands.output + filter * positions, positions,
                  operands.bias != nullptr ? operands.bias[filter] : Number{});
    }
    MatrixProduct product;
    product.rows = num_filters_;
    product.inner = num_channels_;
    product.columns = positions;
    product.a = MakeMatrixLayout(num_channels_, false);
    product.b = MakeMatrixLayout(positions, false);
    AddMatrixProduct(product, operands.weights, operands.input, operands.output);
  }

  const Window window_;
  const std::int64_t num_images_;
  const std::int64_t groups_;
  const std::int64_t num_channels_;  // of one group
  const std::int64_t num_filters_;   // of one group
  const bool has_bias_;
  const Method method_;
  const std::array<TapAxis, kMaxSpatialRank> axes_;
  const PanelConvolution<Number> panels_;
  std::optional<PlaneConvolution<Number>> planes_;  // only for that method
};

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeConvolution(const Layer& layer) {
  auto quantised = MakeQuantisedConvolution(layer);
  if (quantised != nullptr) return quantised;
  return MakeRingKernel<ConvolutionKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
