#include "convolutions/narrow_convolution.hpp"

#include "memory/aligned_memory.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Rows of the output that are computed together, from rows of the input that are prepared once.
constexpr std::int64_t kMostStripRows = 4;
constexpr std::int64_t kMostTaps = 160;

/// A line as an image of one row.
TensorShape ToImage(const TensorShape& shape) {
  return shape.rank == 3 ? TensorShape{shape[0], shape[1], 1, shape[2]} : shape;
}

ConvolutionDescriptor ToImage(ConvolutionDescriptor window) {
  if (window.spatial_rank == 2) return window;
  for (std::uint32_t* const list :
       {window.strides, window.dilations, window.pads_begin, window.pads_end}) {
    list[1] = list[0];
  }
  window.strides[0] = window.dilations[0] = 1;
  window.pads_begin[0] = window.pads_end[0] = 0;
  return window;
}

/// Each group of channels of an image is an image of its own.
struct NarrowProblem {
  NarrowProblem(const ConvolutionDescriptor& window, const TensorShape& input,
                const TensorShape& weights, const TensorShape& output)
      : descriptor(window),
        groups(window.groups),
        images(input[0] * groups),
        channels(input[1] / groups),
        height(input[2]),
        width(input[3]),
        filters(output[1] / groups),
        output_height(output[2]),
        output_width(output[3]),
        kernel_height(weights[2]),
        kernel_width(weights[3]),
        strip_rows(std::min(kMostStripRows, output_height)),
        stride(descriptor.strides[1]),
        most_shift((kernel_width - 1) * descriptor.dilations[1] / stride),
        row_size((output_width + kNarrowStep - 1) / kNarrowStep * kNarrowStep + most_shift) {}

  std::int64_t CountTaps() const { return channels * kernel_height * kernel_width; }
  std::int64_t CountStrips() const { return (output_height + strip_rows - 1) / strip_rows; }
  /// Rows of the input that a strip of the output reads.
  std::int64_t CountRows() const {
    return (strip_rows - 1) * descriptor.strides[0] +
           (kernel_height - 1) * descriptor.dilations[0] + 1;
  }

  ConvolutionDescriptor descriptor;
  std::int64_t groups;
  std::int64_t images;
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  std::int64_t filters;
  std::int64_t output_height;
  std::int64_t output_width;
  std::int64_t kernel_height;
  std::int64_t kernel_width;
  std::int64_t strip_rows;
  std::int64_t stride;      // along the width
  std::int64_t most_shift;  // of a tap, in places of the output
  std::int64_t row_size;    // of a prepared row
};

/// [groups, taps, filters], from [groups, filters, taps].
std::shared_ptr<const void> TransposeWeights(const NarrowProblem& problem, const float* weights) {
  const std::int64_t num_taps = problem.CountTaps();
  const auto count = static_cast<std::uint64_t>(problem.groups * num_taps * problem.filters);
  const std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  auto* to = static_cast<float*>(content.get());
  for (std::int64_t group = 0; group < problem.groups; ++group) {
    for (std::int64_t tap = 0; tap < num_taps; ++tap) {
      for (std::int64_t filter = 0; filter < problem.filters; ++filter) {
        *to++ = weights[(group * problem.filters + filter) * num_taps + tap];
      }
    }
  }
  return content;
}

/// Each row of the input is taken apart into as many rows as the stride, with its padding, so that
/// what neighbours of the output read lies together.
class NarrowConvolutionKernel : public Kernel {
 public:
  NarrowConvolutionKernel(const NarrowProblem& problem, std::shared_ptr<const void> weights,
                          bool has_bias, int num_threads)
      : problem_(problem),
        weights_(std::move(weights)),
        has_bias_(has_bias),
        num_threads_(num_threads) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(num_threads_ * GetScratchSize()) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t num_strips = problem_.CountStrips();
    ParallelForPieces(
        run.threads.AtMost(num_threads_), problem_.images * num_strips, 1,
        [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
          float* scratch = run.GetScratch<float>() + piece * GetScratchSize();
          for (auto index = begin; index < end && !run.threads.AreStopped(); ++index) {
            RunStrip(run, index / num_strips, index % num_strips * problem_.strip_rows, scratch);
          }
        });
  }

 private:
  /// The places of a prepared row that lie in the input, and where the first of them comes from.
  struct Phase {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t source = 0;
  };

  std::int64_t GetScratchSize() const {
    return problem_.CountRows() * problem_.channels * problem_.stride * problem_.row_size;
  }

  /// The beginning of a prepared row.
  std::int64_t FindRow(std::int64_t row, std::int64_t channel, std::int64_t phase) const {
    return ((row * problem_.channels + channel) * problem_.stride + phase) * problem_.row_size;
  }

  void RunStrip(const KernelRun& run, std::int64_t image, std::int64_t first,
                float* scratch) const {
    PrepareRows(run, image, first, scratch);
    const std::int64_t group = image % problem_.groups;
    const std::int64_t plane = problem_.output_height * problem_.output_width;
    const float* taps[kMostTaps];
    NarrowRow row;
    row.taps = taps;
    row.num_taps = problem_.CountTaps();
    row.weights =
        static_cast<const float*>(weights_.get()) + group * row.num_taps * problem_.filters;
    row.bias = has_bias_ ? run.Input<float>(2) + group * problem_.filters : nullptr;
    row.num_filters = problem_.filters;
    row.width = problem_.output_width;
    row.output_step = plane;
    const std::int64_t last = std::min(first + problem_.strip_rows, problem_.output_height);
    for (std::int64_t y = first; y < last; ++y) {
      const float* rows = scratch + FindRow((y - first) * problem_.descriptor.strides[0], 0, 0);
      for (std::size_t tap = 0; tap < taps_.size(); ++tap) taps[tap] = rows + taps_[tap];
      row.output = run.Output<float>() + image * problem_.filters * plane + y * row.width;
      functions_.convolve(row);
    }
  }

  void PrepareRows(const KernelRun& run, std::int64_t image, std::int64_t first,
                   float* scratch) const {
    const ConvolutionDescriptor& window = problem_.descriptor;
    for (std::int64_t row = 0; row < problem_.CountRows(); ++row) {
      const std::int64_t y = first * window.strides[0] - window.pads_begin[0] + row;
      for (std::int64_t channel = 0; channel < problem_.channels; ++channel) {
        const std::int64_t line = (image * problem_.channels + channel) * problem_.height + y;
        const bool is_inside = y >= 0 && y < problem_.height;
        const float* from = is_inside ? run.Input<float>(0) + line * problem_.width : nullptr;
        for (std::int64_t phase = 0; phase < problem_.stride; ++phase) {
          PrepareRow(from, phases_[static_cast<std::size_t>(phase)],
                     scratch + FindRow(row, channel, phase));
        }
      }
    }
  }

  /// Every `stride`-th place of a row of the input, or zeros.
  void PrepareRow(const float* from, const Phase& phase, float* to) const {
    const std::int64_t end = from == nullptr ? phase.begin : phase.end;
    std::fill_n(to, phase.begin, 0.0F);
    if (end > phase.begin) {
      functions_.take(from + phase.source, problem_.stride, end - phase.begin, to + phase.begin);
    }
    std::fill(to + end, to + problem_.row_size, 0.0F);
  }

  /// Place i is i * stride + phase - pad of the input.
  std::vector<Phase> MakePhases() const {
    std::vector<Phase> phases;
    const std::int64_t stride = problem_.stride;
    for (std::int64_t index = 0; index < stride; ++index) {
      const std::int64_t shift = problem_.descriptor.pads_begin[1] - index;
      const std::int64_t first = shift > 0 ? (shift + stride - 1) / stride : 0;
      const std::int64_t all = std::max<std::int64_t>(0, problem_.width + shift + stride - 1);
      Phase phase;
      phase.begin = std::min(first, problem_.row_size);
      phase.end = std::clamp(all / stride, phase.begin, problem_.row_size);
      phase.source = first * stride - shift;
      phases.push_back(phase);
    }
    return phases;
  }

  /// The beginning of the row of each tap, counted from the first prepared row that is read.
  std::vector<std::int64_t> MakeTaps() const {
    const ConvolutionDescriptor& window = problem_.descriptor;
    std::vector<std::int64_t> taps;
    for (std::int64_t channel = 0; channel < problem_.channels; ++channel) {
      for (std::int64_t y = 0; y < problem_.kernel_height; ++y) {
        for (std::int64_t x = 0; x < problem_.kernel_width; ++x) {
          const std::int64_t place = x * window.dilations[1];
          taps.push_back(FindRow(y * window.dilations[0], channel, place % problem_.stride) +
                         place / problem_.stride);
        }
      }
    }
    return taps;
  }

  const NarrowProblem problem_;
  const std::shared_ptr<const void> weights_;
  const bool has_bias_;
  const int num_threads_;
  const std::vector<Phase> phases_ = MakePhases();
  const std::vector<std::int64_t> taps_ = MakeTaps();
  const NarrowFunctions& functions_ = GetSimdFunctions().narrow;
};

/// Few filters, on images that are wide enough for vectors along the width.
bool IsNarrow(const NarrowProblem& problem) {
  constexpr std::int64_t kMostFilters = 12;
  constexpr std::int64_t kMostStride = 2;
  const std::int64_t least_width = problem.groups > 1 ? kNarrowStep * 3 / 4 : kNarrowStep;
  return problem.filters <= kMostFilters && problem.stride <= kMostStride &&
         problem.kernel_height * problem.kernel_width > 1 && problem.CountTaps() <= kMostTaps &&
         problem.output_width >= least_width;
}

}  // namespace

std::unique_ptr<const Kernel> MakeNarrowConvolution(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ConvolutionDescriptor>();
  if (descriptor.spatial_rank > 2) return nullptr;
  const NarrowProblem problem(ToImage(descriptor), ToImage(maker.GetInput(0).info.shape),
                              ToImage(maker.GetInput(1).info.shape),
                              ToImage(maker.GetOutput().info.shape));
  // oneDNN computes whole blocks of filters in each group of an image, unless a group has only one.
  const bool is_image_in_groups = descriptor.spatial_rank == 2 && problem.groups > 1;
  const bool wants_plain = is_image_in_groups && problem.filters > 1 && problem.filters % 8 != 0;
  if (is_image_in_groups ? !wants_plain : !maker.GetLayout(0).IsPlain()) return nullptr;
  if (!IsNarrow(problem)) return nullptr;
  const bool has_bias = HasBias(maker.GetNode());
  if (wants_plain) maker.WantPlain(0);
  if (has_bias) maker.WantPlain(2);
  const auto weights = maker.PackTogether({1}, "taps of few filters", [&] {
    return TransposeWeights(problem, GetFloats(maker.GetInput(1)));
  });
  return std::make_unique<NarrowConvolutionKernel>(problem, weights, has_bias,
                                                   maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
