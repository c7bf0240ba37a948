#include "elements/arithmetic.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/window.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// NaN anywhere in the window gives NaN.
template <typename Number>
struct TakeMaximum {
  static constexpr Number kStart = std::numeric_limits<Number>::has_infinity
                                       ? -std::numeric_limits<Number>::infinity()
                                       : std::numeric_limits<Number>::lowest();
  Number operator()(Number so_far, Number value) const { return GetMaximum(value, so_far); }
};

template <typename Number>
struct TakeSum {
  static constexpr Number kStart = 0;
  Number operator()(Number so_far, Number value) const { return Add(so_far, value); }
};

/// For each output position along an axis, how many elements of its window count.
template <typename Number>
std::vector<Number> CountElements(const WindowAxis& axis, PaddingInAverage padding) {
  std::vector<Number> counts;
  const bool counts_padding = padding == PaddingInAverage::kInclude;
  const std::int64_t begin = counts_padding ? -axis.pad_begin : 0;
  const std::int64_t end = counts_padding ? axis.input + axis.pad_end : axis.input;
  for (std::int64_t position = 0; position < axis.output; ++position) {
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t index = axis.GetInputIndex(position, k);
      if (index >= begin && index < end) ++count;
    }
    counts.push_back(static_cast<Number>(count));
  }
  return counts;
}

Window MakePoolingWindow(const Layer& layer, const PoolingDescriptor& descriptor) {
  std::int64_t kernel[kMaxSpatialRank] = {};
  std::copy_n(descriptor.kernel, kMaxSpatialRank, kernel);
  return MakeWindow(descriptor, kernel, layer.Input(0).shape, layer.Output().shape);
}

template <typename Number>
class PoolingKernel : public Kernel {
 public:
  explicit PoolingKernel(const Layer& layer)
      : PoolingKernel(layer, layer.GetDescriptor<PoolingDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t plane = 0; plane < num_planes_; ++plane) {
      for (std::int64_t d = 0; d < window_[0].output; ++d) {
        for (std::int64_t h = 0; h < window_[1].output; ++h) {
          MakeRow(input, d, h, output);
          output += window_[2].output;
        }
      }
      input += window_[0].input * window_[1].input * window_[2].input;
    }
  }

 private:
  PoolingKernel(const Layer& layer, const PoolingDescriptor& descriptor)
      : method_(descriptor.method),
        window_(MakePoolingWindow(layer, descriptor)),
        covered_columns_(GetCoveredOutputs(window_[2])),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {
    if (method_ != PoolingMethod::kAverage) return;
    for (std::uint32_t axis = 0; axis < kMaxSpatialRank; ++axis) {
      counts_[axis] = CountElements<Number>(window_[axis], descriptor.padding_in_average);
    }
  }

  void MakeRow(const Number* input, std::int64_t d, std::int64_t h, Number* output_row) const {
    if (method_ == PoolingMethod::kMax) {
      Reduce(input, d, h, output_row, TakeMaximum<Number>());
    } else {
      Reduce(input, d, h, output_row, TakeSum<Number>());
      DivideByCounts(d, h, output_row);
    }
  }

  template <typename Reduction>
  void Reduce(const Number* input, std::int64_t d, std::int64_t h, Number* output_row,
              Reduction reduction) const {
    const WindowAxis& width = window_[2];
    std::fill_n(output_row, width.output, Reduction::kStart);
    VisitInputRows(window_, d, h, [&](std::int64_t /*kernel_row*/, std::int64_t input_row) {
      for (std::int64_t k = 0; k < width.kernel; ++k) {
        const OutputRange covered = covered_columns_[static_cast<std::size_t>(k)];
        if (covered.begin == covered.end) continue;
        const Number* row = input + input_row * width.input + width.GetInputIndex(covered.begin, k);
        ReduceRow(row, covered.end - covered.begin, output_row + covered.begin, reduction);
      }
    });
  }

  template <typename Reduction>
  void ReduceRow(const Number* __restrict input, std::int64_t length, Number* __restrict output,
                 Reduction reduction) const {
    const std::int64_t stride = window_[2].stride;
    if (stride == 1) {
      for (std::int64_t i = 0; i < length; ++i) output[i] = reduction(output[i], input[i]);
    } else {
      for (std::int64_t i = 0; i < length; ++i) output[i] = reduction(output[i], input[i * stride]);
    }
  }

  /// The average of nothing is 0.
  void DivideByCounts(std::int64_t d, std::int64_t h, Number* output_row) const {
    const Number rows =
        counts_[0][static_cast<std::size_t>(d)] * counts_[1][static_cast<std::size_t>(h)];
    for (std::int64_t w = 0; w < window_[2].output; ++w) {
      const Number count = rows * counts_[2][static_cast<std::size_t>(w)];
      output_row[w] = count == 0 ? 0 : Divide(output_row[w], count);
    }
  }

  const PoolingMethod method_;
  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t num_planes_;
  std::vector<Number> counts_[kMaxSpatialRank];  // only for averages
};

void CheckEnumerators(const PoolingDescriptor& descriptor, Refusal& refusal) {
  if (descriptor.method != PoolingMethod::kMax && descriptor.method != PoolingMethod::kAverage) {
    refusal.Add("pooling method ", static_cast<std::uint32_t>(descriptor.method),
                " is not supported, only Max (1) and Average (2)");
  }
  if (descriptor.rounding != OutputRounding::kFloor &&
      descriptor.rounding != OutputRounding::kCeiling) {
    refusal.Add("output rounding ", static_cast<std::uint32_t>(descriptor.rounding),
                " is not supported, only Floor (1) and Ceiling (2)");
  }
  if (descriptor.padding_in_average != PaddingInAverage::kExclude &&
      descriptor.padding_in_average != PaddingInAverage::kInclude) {
    refusal.Add("padding in average ", static_cast<std::uint32_t>(descriptor.padding_in_average),
                " is not supported, only Exclude (1) and Include (2)");
  }
}

/// With rounding up, a last window that lies in the padding only may be there or not: its output is
/// well defined either way.
void CheckOutputShape(const Layer& layer, const PoolingDescriptor& descriptor, const Window& window,
                      Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  TensorShape expected = {input[0], input[1]};
  const std::uint32_t first = kMaxSpatialRank - descriptor.spatial_rank;
  for (std::uint32_t i = first; i < kMaxSpatialRank; ++i) {
    const WindowAxis& axis = window[i];
    const std::int64_t whole = CountWholeWindows(axis);
    const std::int64_t most =
        descriptor.rounding == OutputRounding::kCeiling ? CountStartedWindows(axis) : whole;
    expected.Append(axis.output >= whole && axis.output <= most ? axis.output : most);
  }
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace

std::string FindRefusalOfPooling(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<PoolingDescriptor>();
  RequireNumbers(layer, refusal);
  CheckEnumerators(descriptor, refusal);
  RequireSpatialRank(descriptor.spatial_rank, layer.Input(0), "input 0", refusal);
  if (refusal.IsEmpty()) {
    RequireSpatialRank(descriptor.spatial_rank, layer.Output(), "the output", refusal);
  }
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const Window window = MakePoolingWindow(layer, descriptor);
  RequireSoundWindow(window, descriptor.spatial_rank, refusal);
  if (refusal.IsEmpty()) CheckOutputShape(layer, descriptor, window, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakePooling(const Layer& layer) {
  return MakeNumberKernel<PoolingKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
