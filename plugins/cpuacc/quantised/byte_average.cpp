#include "quantised/byte_average.hpp"

#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/scales.hpp"
#include "kernel_builders/layer_of_node.hpp"
#include "layout/channels_last.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"
#include "windows/covered_window.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Window;
using cpu_layers::WindowAxis;

/// A sum of so many differences has 29 bits, and times a scale of float32 the 53 of double.
constexpr std::int64_t kMostElements = 1 << 20;

/// Sums that are kept at once.
constexpr std::int64_t kChannels = 256;

std::int64_t CountCovered(const CoveredBox& place) {
  return place[0].count * place[1].count * place[2].count;
}

class ByteAverageKernel : public Kernel {
 public:
  ByteAverageKernel(const Layer& layer, const PoolingDescriptor& pooling)
      : padding_(pooling.padding_in_average),
        window_(MakePoolingWindow(layer, pooling)),
        num_images_(layer.Input(0).shape[0]),
        num_channels_(layer.Input(0).shape[1]),
        sign_bit_(GetSignBit(layer.Input(0))),
        zero_bits_(GetZeroPoint(layer.Input(0)) + sign_bit_) {
    average_.scale = static_cast<double>(GetScale(layer.Input(0)));
    average_.result_scale = static_cast<double>(GetScale(layer.Output()));
    average_.zero_point = GetZeroPoint(layer.Output());
    average_.least = -GetSignBit(layer.Output());
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 1 << 16;
    std::int64_t bytes = num_channels_;
    for (const WindowAxis& axis : window_) bytes *= std::min(axis.kernel, axis.input);
    const std::int64_t rows = window_[0].output * window_[1].output;
    ParallelFor(run.threads, num_images_ * rows,
                kWorthAThread / std::max<std::int64_t>(1, bytes * window_[2].output) + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t row = begin; row < end; ++row) {
                    MakeRow(run, row / rows, row % rows);
                  }
                });
  }

 private:
  void MakeRow(const KernelRun& run, std::int64_t image, std::int64_t row) const {
    const std::uint8_t* input = run.Input<std::uint8_t>(0) + image * window_[0].input *
                                                                 window_[1].input *
                                                                 window_[2].input * num_channels_;
    const std::int64_t rows = window_[0].output * window_[1].output;
    std::uint8_t* output =
        run.Output<std::uint8_t>() + (image * rows + row) * window_[2].output * num_channels_;
    CoveredBox place = {FindCovered(window_[0], row / window_[1].output, padding_),
                        FindCovered(window_[1], row % window_[1].output, padding_),
                        {}};
    for (std::int64_t w = 0; w < window_[2].output; ++w, output += num_channels_) {
      place[2] = FindCovered(window_[2], w, padding_);
      for (std::int64_t channel = 0; channel < num_channels_; channel += kChannels) {
        Average(input + channel, place, std::min(kChannels, num_channels_ - channel),
                output + channel);
      }
    }
  }

  void Average(const std::uint8_t* input, const CoveredBox& place, std::int64_t count,
               std::uint8_t* output) const {
    std::int32_t sums[kChannels];
    std::fill_n(sums, count, -zero_bits_ * static_cast<std::int32_t>(CountCovered(place)));
    for (std::int64_t d = 0; d < place[0].count; ++d) {
      const std::int64_t depth = place[0].first + d * window_[0].dilation;
      for (std::int64_t h = 0; h < place[1].count; ++h) {
        const std::int64_t row =
            depth * window_[1].input + place[1].first + h * window_[1].dilation;
        functions_.sum_up(input + (row * window_[2].input + place[2].first) * num_channels_,
                          {sign_bit_, window_[2].dilation * num_channels_, place[2].count}, sums,
                          count);
      }
    }
    ByteAverage average = average_;
    average.count = CountElements(place);
    functions_.average(average, sums, output, count);
  }

  const PaddingInAverage padding_;
  const Window window_;
  const std::int64_t num_images_;
  const std::int64_t num_channels_;
  const std::int32_t sign_bit_;
  const std::int32_t zero_bits_;  // what the zero point is among the bits that are added
  const ByteFunctions& functions_ = GetSimdFunctions().bytes;
  ByteAverage average_;
};

}  // namespace

void RequireModestWindows(const Layer& layer, const PoolingDescriptor& pooling, Refusal& refusal) {
  double elements = 1.0;
  for (const WindowAxis& axis : MakePoolingWindow(layer, pooling)) {
    elements *= static_cast<double>(std::min(axis.kernel, axis.input));
  }
  if (elements <= static_cast<double>(kMostElements)) return;
  refusal.Add("a window has more than ", kMostElements,
              " elements, but averages of quantised tensors are supported of no more");
}

std::unique_ptr<const Kernel> MakeByteAverage(KernelMaker& maker,
                                              const PoolingDescriptor& pooling) {
  maker.WantInput(0, MakeChannelsLast(maker.GetInput(0).info));
  maker.SetOutput(0, MakeChannelsLast(maker.GetOutput().info));
  return std::make_unique<ByteAverageKernel>(LayerOfNode(maker.GetGraph(), maker.GetNode()).Get(),
                                             pooling);
}

}  // namespace cpuacc
}  // namespace backplane
