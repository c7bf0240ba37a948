#include "kernels/byte_convolution.hpp"

#include "threads/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// One spatial axis, and how far apart neighbours along it lie.
struct Axis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t output = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;
  std::int64_t input_step = 0;
  std::int64_t weight_step = 0;
  std::int64_t output_step = 0;
};

/// Image, group and channel.
struct Steps {
  std::int64_t image = 0;
  std::int64_t group = 0;
  std::int64_t channel = 0;
};

struct Geometry {
  explicit Geometry(const QuantisedConvolution& convolution);

  std::int64_t images;
  std::int64_t groups = 1;
  std::int64_t filters;   // of a group
  std::int64_t channels;  // of a group
  Steps input;
  Steps weights;  // the image is a filter
  Steps output;
  std::array<Axis, kMaxSpatialRank> axes;
};

const dnnl_dim_t* GetSteps(const dnnl::memory::desc& desc) {
  return desc.data.format_desc.blocking.strides;
}

Geometry::Geometry(const QuantisedConvolution& convolution) : images(convolution.dims.input[0]) {
  const ConvolutionDims& dims = convolution.dims;
  const bool has_groups = dims.weights.size() > dims.input.size();
  const std::size_t first = has_groups ? 1 : 0;
  const dnnl_dim_t* in = GetSteps(convolution.input);
  const dnnl_dim_t* of_weights = GetSteps(convolution.weights);
  const dnnl_dim_t* out = GetSteps(convolution.output);
  if (has_groups) groups = dims.weights[0];
  filters = dims.weights[first];
  channels = dims.weights[first + 1];
  input = {in[0], channels * in[1], in[1]};
  weights = {of_weights[first], has_groups ? of_weights[0] : 0, of_weights[first + 1]};
  output = {out[0], filters * out[1], out[1]};
  const std::size_t rank = dims.strides.size();
  for (std::size_t i = 0; i < rank; ++i) {
    axes[kMaxSpatialRank - rank + i] = {
        dims.input[i + 2], dims.weights[first + i + 2], dims.output[i + 2],
        dims.strides[i],   dims.dilations[i] + 1,       dims.pads_begin[i],
        in[i + 2],         of_weights[first + i + 2],   out[i + 2]};
  }
}

template <typename Input, typename Weight, typename Stored>
class ByteConvolutionKernel : public Kernel {
 public:
  ByteConvolutionKernel(const QuantisedConvolution& convolution,
                        cpu_layers::Requantisation requantisation, bool has_bias)
      : geometry_(convolution), requantisation_(std::move(requantisation)), has_bias_(has_bias) {}

  void Run(const KernelRun& run) const override {
    const std::int64_t filters = geometry_.groups * geometry_.filters;
    ParallelFor(run.num_threads, geometry_.images * filters, 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) {
                    RunFilter(run, i / filters, i % filters);
                  }
                });
  }

 private:
  void RunFilter(const KernelRun& run, std::int64_t image, std::int64_t filter) const {
    const std::int64_t group = filter / geometry_.filters;
    const std::int64_t of_group = filter % geometry_.filters;
    const Input* input =
        run.Input<Input>(0) + image * geometry_.input.image + group * geometry_.input.group;
    const Weight* weights =
        run.Input<Weight>(1) + group * geometry_.weights.group + of_group * geometry_.weights.image;
    Stored* output = run.Output<Stored>() + image * geometry_.output.image +
                     group * geometry_.output.group + of_group * geometry_.output.channel;
    const std::int32_t bias = has_bias_ ? run.Input<std::int32_t>(2)[filter] : 0;
    const auto index = static_cast<std::size_t>(filter);
    const auto& axes = geometry_.axes;
    for (std::int64_t d = 0; d < axes[0].output; ++d) {
      for (std::int64_t h = 0; h < axes[1].output; ++h) {
        for (std::int64_t w = 0; w < axes[2].output; ++w) {
          const std::uint32_t sum =
              Sum(input, weights, requantisation_.zero_points[index], {d, h, w});
          output[d * axes[0].output_step + h * axes[1].output_step + w * axes[2].output_step] =
              Convert(static_cast<std::int32_t>(sum + static_cast<std::uint32_t>(bias)),
                      requantisation_.multipliers[index]);
        }
      }
    }
  }

  /// Padding counts as the zero point and adds nothing. Sums wrap around.
  std::uint32_t Sum(const Input* input, const Weight* weights, std::int32_t weight_zero_point,
                    const std::array<std::int64_t, kMaxSpatialRank>& at) const {
    const auto& axes = geometry_.axes;
    std::uint32_t sum = 0;
    const auto visit = [&](std::int64_t input_offset, std::int64_t weight_offset) {
      for (std::int64_t channel = 0; channel < geometry_.channels; ++channel) {
        const std::int32_t x = input[input_offset + channel * geometry_.input.channel] -
                               requantisation_.input_zero_point;
        const std::int32_t w =
            weights[weight_offset + channel * geometry_.weights.channel] - weight_zero_point;
        sum += static_cast<std::uint32_t>(x * w);
      }
    };
    for (std::int64_t kd = 0; kd < axes[0].kernel; ++kd) {
      const std::int64_t d = at[0] * axes[0].stride + kd * axes[0].dilation - axes[0].pad;
      if (d < 0 || d >= axes[0].input) continue;
      for (std::int64_t kh = 0; kh < axes[1].kernel; ++kh) {
        const std::int64_t h = at[1] * axes[1].stride + kh * axes[1].dilation - axes[1].pad;
        if (h < 0 || h >= axes[1].input) continue;
        for (std::int64_t kw = 0; kw < axes[2].kernel; ++kw) {
          const std::int64_t w = at[2] * axes[2].stride + kw * axes[2].dilation - axes[2].pad;
          if (w < 0 || w >= axes[2].input) continue;
          visit(d * axes[0].input_step + h * axes[1].input_step + w * axes[2].input_step,
                kd * axes[0].weight_step + kh * axes[1].weight_step + kw * axes[2].weight_step);
        }
      }
    }
    return sum;
  }

  Stored Convert(std::int32_t sum, float multiplier) const {
    constexpr auto kLeast = static_cast<std::int32_t>(std::numeric_limits<Stored>::min());
    constexpr auto kMost = static_cast<std::int32_t>(std::numeric_limits<Stored>::max());
    const std::int32_t zero_point = requantisation_.output_zero_point;
    const float scaled = std::min(
        std::max(static_cast<float>(sum) * multiplier, static_cast<float>(kLeast - zero_point)),
        static_cast<float>(kMost - zero_point));
    return static_cast<Stored>(static_cast<std::int32_t>(std::nearbyint(scaled)) + zero_point);
  }

  const Geometry geometry_;
  const cpu_layers::Requantisation requantisation_;
  const bool has_bias_;
};

/// Calls make(number) with a number of the type of a tensor.
template <typename Make>
auto WithByte(DataType type, const Make& make) {
  return type == DataType::kInt8 ? make(std::int8_t{}) : make(std::uint8_t{});
}

}  // namespace

std::unique_ptr<const Kernel> MakeByteConvolution(KernelMaker& maker,
                                                  const QuantisedConvolution& convolution,
                                                  cpu_layers::Requantisation requantisation) {
  maker.WantAllPlain();
  const bool has_bias = CountLayerInputs(maker.GetNode()) > 2;
  return WithByte(maker.GetInput(0).info.data_type, [&](auto input) {
    return WithByte(maker.GetInput(1).info.data_type, [&](auto weight) {
      return WithByte(maker.GetOutput().info.data_type, [&](auto stored) {
        using Made = ByteConvolutionKernel<decltype(input), decltype(weight), decltype(stored)>;
        return std::unique_ptr<const Kernel>(
            std::make_unique<Made>(convolution, requantisation, has_bias));
      });
    });
  });
}

}  // namespace cpuacc
}  // namespace backplane
