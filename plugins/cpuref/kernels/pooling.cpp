#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/arithmetic.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// How a window is reduced: one element after the other, and results of its parts. NaN anywhere in
/// the window gives NaN.
template <typename Number>
struct TakeMaximum {
  static constexpr Number kStart = std::numeric_limits<Number>::has_infinity
                                       ? -std::numeric_limits<Number>::infinity()
                                       : std::numeric_limits<Number>::lowest();
  Number operator()(Number so_far, Number value) const { return GetMaximum(value, so_far); }
  static Number Join(Number a, Number b) { return GetMaximum(a, b); }
};

template <typename Number>
struct TakeSum {
  static constexpr Number kStart = 0;
  Number operator()(Number so_far, Number value) const { return Add(so_far, value); }
  static Number Join(Number a, Number b) { return Add(a, b); }
};

/// The sum of powers of magnitudes, whose root is the Lp norm.
template <typename Number>
struct TakePower {
  static constexpr Number kStart = 0;
  Number operator()(Number so_far, Number value) const {
    return so_far + std::pow(std::abs(value), p);
  }
  static Number Join(Number a, Number b) { return Add(a, b); }
  const Number p;
};

template <typename Number>
struct TakeSquare {
  static constexpr Number kStart = 0;
  Number operator()(Number so_far, Number value) const { return so_far + value * value; }
  static Number Join(Number a, Number b) { return Add(a, b); }
};

template <typename Number>
struct TakeMagnitude {
  static constexpr Number kStart = 0;
  Number operator()(Number so_far, Number value) const { return so_far + std::abs(value); }
  static Number Join(Number a, Number b) { return Add(a, b); }
};

/// A single window covers neighbours. Its kernel may be long.
bool IsOneRow(const WindowAxis& width) {
  return width.output == 1 && width.dilation == 1;
}

/// For each output position along an axis, how many elements of its window count.
template <typename Number>
std::vector<Number> CountWindowElements(const WindowAxis& axis, PaddingInAverage padding) {
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

template <typename Number>
class PoolingKernel : public Kernel {
 public:
  explicit PoolingKernel(const Layer& layer)
      : PoolingKernel(layer, layer.GetDescriptor<PoolingDescriptor>()) {}

  std::uint64_t GetScratchBytes() const override {
    return IsOneRow(window_[2]) ? 0 : static_cast<std::uint64_t>(window_[2].input) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    for (std::int64_t plane = 0; plane < num_planes_; ++plane) {
      for (std::int64_t d = 0; d < window_[0].output; ++d) {
        for (std::int64_t h = 0; h < window_[1].output; ++h) {
          MakeRow(input, d, h, {output, tensors.GetScratch<Number>()});
          output += window_[2].output;
        }
      }
      input += window_[0].input * window_[1].input * window_[2].input;
    }
  }

 private:
  struct OutputRow {
    Number* begin;
    Number* scratch;  // as long as a row of the input
  };

  PoolingKernel(const Layer& layer, const PoolingDescriptor& descriptor)
      : method_(descriptor.method),
        p_(descriptor.p),
        window_(MergeGlobalAxes(MakePoolingWindow(layer, descriptor))),
        covered_columns_(IsOneRow(window_[2]) ? std::vector<OutputRange>()
                                              : GetCoveredOutputs(window_[2])),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {
    if (method_ != PoolingMethod::kAverage) return;
    for (std::uint32_t axis = 0; axis < kMaxSpatialRank; ++axis) {
      counts_[axis] = CountWindowElements<Number>(window_[axis], descriptor.padding_in_average);
    }
  }

  void MakeRow(const Number* input, std::int64_t d, std::int64_t h, const OutputRow& output) const {
    if (method_ == PoolingMethod::kMax) {
      Reduce(input, d, h, output, TakeMaximum<Number>());
    } else if (method_ == PoolingMethod::kAverage) {
      Reduce(input, d, h, output, TakeSum<Number>());
      DivideByCounts(d, h, output.begin);
    } else if constexpr (!std::is_integral<Number>::value) {
      MakeNorms(input, d, h, output);
    }
  }

  void MakeNorms(const Number* input, std::int64_t d, std::int64_t h,
                 const OutputRow& output) const {
    Number* const begin = output.begin;
    Number* const end = begin + window_[2].output;
    if (p_ == 1.0F) {
      Reduce(input, d, h, output, TakeMagnitude<Number>());
    } else if (p_ == 2.0F) {
      Reduce(input, d, h, output, TakeSquare<Number>());
      std::transform(begin, end, begin, [](Number sum) { return std::sqrt(sum); });
    } else {
      const auto p = static_cast<Number>(p_);
      Reduce(input, d, h, output, TakePower<Number>{p});
      std::transform(begin, end, begin, [p](Number sum) { return std::pow(sum, 1 / p); });
    }
  }

  /// All rows of the input under a row of windows become one first, and that is then reduced along
  /// the width.
  template <typename Reduction>
  void Reduce(const Number* input, std::int64_t d, std::int64_t h, const OutputRow& output,
              Reduction reduction) const {
    const WindowAxis& width = window_[2];
    std::fill_n(output.begin, width.output, Reduction::kStart);
    if (!IsOneRow(width)) std::fill_n(output.scratch, width.input, Reduction::kStart);
    VisitInputRows(window_, d, h, [&](std::int64_t /*kernel_row*/, std::int64_t input_row) {
      const Number* row = input + input_row * width.input;
      if (IsOneRow(width)) {
        *output.begin = ReduceAll(row, *output.begin, reduction);
      } else {
        ReduceRow(row, width.input, output.scratch, reduction);
      }
    });
    if (!IsOneRow(width)) ReduceWidth<Reduction>(output);
  }

  template <typename Reduction>
  static void ReduceRow(const Number* __restrict row, std::int64_t length,
                        Number* __restrict results, Reduction reduction) {
    for (std::int64_t i = 0; i < length; ++i) results[i] = reduction(results[i], row[i]);
  }

  template <typename Reduction>
  void ReduceWidth(const OutputRow& output) const {
    const WindowAxis& width = window_[2];
    for (std::int64_t k = 0; k < width.kernel; ++k) {
      const OutputRange covered = covered_columns_[static_cast<std::size_t>(k)];
      if (covered.begin == covered.end) continue;
      const Number* from = output.scratch + width.GetInputIndex(covered.begin, k);
      Number* results = output.begin + covered.begin;
      const std::int64_t length = covered.end - covered.begin;
      WithStride(width.stride, [=](auto stride) {
        for (std::int64_t i = 0; i < length; ++i) {
          results[i] = Reduction::Join(results[i], from[i * stride]);
        }
      });
    }
  }

  /// A whole row under one window. Several partial results, because one alone could not be
  /// vectorised.
  template <typename Reduction>
  Number ReduceAll(const Number* row, Number result, Reduction reduction) const {
    constexpr std::int64_t kLanes = 8;
    const WindowAxis& width = window_[2];
    std::int64_t i = 0;  // padding before the input hides elements of the kernel, not of the input
    const std::int64_t end = std::min(width.input, width.kernel - width.pad_begin);
    if (end - i >= 2 * kLanes) {
      Number partial[kLanes];
      std::fill_n(partial, kLanes, Reduction::kStart);
      for (; i + kLanes <= end; i += kLanes) {
        for (std::int64_t j = 0; j < kLanes; ++j) partial[j] = reduction(partial[j], row[i + j]);
      }
      for (const Number value : partial) result = Reduction::Join(result, value);
    }
    for (; i < end; ++i) result = reduction(result, row[i]);
    return result;
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
  const float p_;
  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t num_planes_;
  std::vector<Number> counts_[kMaxSpatialRank];  // only for averages
};

void CheckMethod(const PoolingDescriptor& descriptor, Refusal& refusal) {
  if (descriptor.method != PoolingMethod::kMax && descriptor.method != PoolingMethod::kAverage &&
      descriptor.method != PoolingMethod::kLp) {
    refusal.Add("pooling method ", static_cast<std::uint32_t>(descriptor.method),
                " is not supported, only Max (1), Average (2) and Lp (3)");
  }
  if (descriptor.method == PoolingMethod::kLp &&
      !(std::isfinite(descriptor.p) && descriptor.p > 0)) {
    refusal.Add("p is not a finite number above 0");
  }
  if (descriptor.padding_in_average != PaddingInAverage::kExclude &&
      descriptor.padding_in_average != PaddingInAverage::kInclude) {
    refusal.Add("padding in average ", static_cast<std::uint32_t>(descriptor.padding_in_average),
                " is not supported, only Exclude (1) and Include (2)");
  }
}

}  // namespace

std::string FindRefusalOfPooling(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<PoolingDescriptor>();
  if (descriptor.method == PoolingMethod::kLp) {
    RequireFloats(layer, refusal);
  } else {
    RequireNumbers(layer, refusal);
  }
  CheckMethod(descriptor, refusal);
  CheckPooling(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakePooling(const Layer& layer) {
  return MakeNumberKernel<PoolingKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
