#include "kernels/resize_samples.hpp"

#include "cpu_layers/run_bytes.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kSampleGrainBytes = 64 * 1024;

/// Of a row: 2 neighbours along each axis but the last, or 4 along 3 axes.
constexpr std::size_t kMostSamples = 1U << (kMaxRank - 1);

SampledAxis SampleAxis(const cpu_layers::ResizeAxis& axis, std::int64_t extent, std::int64_t step) {
  SampledAxis sampled;
  sampled.extent = extent;
  if (axis.is_left_alone) {
    for (std::int64_t i = 0; i < extent; ++i) sampled.offsets.push_back(i * step);
    sampled.weights.assign(static_cast<std::size_t>(extent), 1.0F);
    return sampled;
  }
  sampled.num_taps = axis.num_taps;
  for (const std::int64_t index : axis.indices) sampled.offsets.push_back(index * step);
  for (const double weight : axis.weights) sampled.weights.push_back(static_cast<float>(weight));
  return sampled;
}

struct Tap {
  std::int64_t offset;
  float weight;
};

/// Where a row of the output comes from.
class RowTaps {
 public:
  RowTaps(const std::vector<SampledAxis>& axes, std::int64_t row) {
    taps_[0] = {0, 1.0F};
    for (std::size_t i = axes.size(); i-- > 0;) {
      const SampledAxis& axis = axes[i];
      Multiply(axis, static_cast<std::size_t>(row % axis.extent) * axis.num_taps);
      row /= axis.extent;
    }
  }

  const Tap* begin() const { return taps_.data(); }
  const Tap* end() const { return taps_.data() + count_; }

 private:
  void Multiply(const SampledAxis& axis, std::size_t first) {
    const std::size_t before = count_;
    for (std::size_t tap = axis.num_taps; tap-- > 0;) {
      for (std::size_t i = 0; i < before; ++i) {
        taps_[tap * before + i] = {taps_[i].offset + axis.offsets[first + tap],
                                   taps_[i].weight * axis.weights[first + tap]};
      }
    }
    count_ = before * axis.num_taps;
  }

  std::array<Tap, kMostSamples> taps_;
  std::size_t count_ = 1;
};

class NearestKernel : public Kernel {
 public:
  NearestKernel(ResizeSamples samples, std::size_t element_bytes)
      : samples_(std::move(samples)), element_bytes_(static_cast<std::int64_t>(element_bytes)) {
    for (std::int64_t row = 0; row < samples_.num_rows; ++row) {
      rows_.push_back(FindOffset(row) * element_bytes_);
    }
    for (std::int64_t& offset : samples_.inner.offsets) offset *= element_bytes_;
  }

  void Run(const KernelRun& run) const override {
    cpu_layers::WithRun(static_cast<std::size_t>(samples_.run * element_bytes_), [&](auto size) {
      const auto row_bytes = samples_.inner.extent * static_cast<std::int64_t>(size.GetBytes());
      ParallelFor(run.threads, samples_.num_rows, kSampleGrainBytes / row_bytes + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (; begin < end; ++begin) CopyRow(run, begin, row_bytes, size);
                  });
    });
  }

 private:
  std::int64_t FindOffset(std::int64_t row) const {
    std::int64_t offset = 0;
    for (std::size_t i = samples_.outer.size(); i-- > 0;) {
      const SampledAxis& axis = samples_.outer[i];
      offset += axis.offsets[static_cast<std::size_t>(row % axis.extent)];
      row /= axis.extent;
    }
    return offset;
  }

  template <typename Size>
  void CopyRow(const KernelRun& run, std::int64_t row, std::int64_t row_bytes, Size size) const {
    const auto* source = run.Input<unsigned char>(0) + rows_[static_cast<std::size_t>(row)];
    auto* target = run.Output<unsigned char>() + row * row_bytes;
    for (const std::int64_t offset : samples_.inner.offsets) {
      CopyRun(target, source + offset, size);
      target += size.GetBytes();
    }
  }

  ResizeSamples samples_;
  std::int64_t element_bytes_;
  std::vector<std::int64_t> rows_;  // where each comes from
};

class BlendedKernel : public Kernel {
 public:
  explicit BlendedKernel(ResizeSamples samples) : samples_(std::move(samples)) {}

  void Run(const KernelRun& run) const override {
    const std::int64_t row_elements = samples_.inner.extent * samples_.run;
    const std::int64_t grain =
        kSampleGrainBytes / static_cast<std::int64_t>(sizeof(float)) / row_elements + 1;
    ParallelFor(run.threads, samples_.num_rows, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        BlendRow(run.Input<float>(0), RowTaps(samples_.outer, row),
                 run.Output<float>() + row * row_elements);
      }
    });
  }

 private:
  void BlendRow(const float* input, const RowTaps& taps, float* output) const {
    const SampledAxis& inner = samples_.inner;
    const auto extent = static_cast<std::size_t>(inner.extent);
    for (std::size_t i = 0; i < extent; ++i, output += samples_.run) {
      const std::size_t first = i * inner.num_taps;
      if (samples_.run == 1) {
        *output = Blend(input, taps, first);
        continue;
      }
      std::fill_n(output, samples_.run, 0.0F);
      for (const Tap& tap : taps) {
        for (std::size_t j = first; j < first + inner.num_taps; ++j) {
          AddRun(input + tap.offset + inner.offsets[j], tap.weight * inner.weights[j], output);
        }
      }
    }
  }

  float Blend(const float* input, const RowTaps& taps, std::size_t first) const {
    const SampledAxis& inner = samples_.inner;
    float sum = 0.0F;
    for (const Tap& tap : taps) {
      float part = 0.0F;
      for (std::size_t j = first; j < first + inner.num_taps; ++j) {
        part += inner.weights[j] * input[tap.offset + inner.offsets[j]];
      }
      sum += tap.weight * part;
    }
    return sum;
  }

  void AddRun(const float* __restrict input, float weight, float* __restrict output) const {
    for (std::int64_t k = 0; k < samples_.run; ++k) output[k] += weight * input[k];
  }

  ResizeSamples samples_;
};

}  // namespace

ResizeSamples::ResizeSamples(const std::vector<cpu_layers::ResizeAxis>& axes,
                             const LayoutAxes& from, const LayoutAxes& to)
    : run(to.block) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t axis = 0; axis < to.rank; ++axis) order.push_back(axis);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return to.steps[a] > to.steps[b]; });
  // Axes at the end that stay are one run.
  for (; !order.empty() && axes[order.back()].is_left_alone; order.pop_back()) {
    run *= to.extents[order.back()];
  }
  if (order.empty()) {
    inner.offsets = {0};
    inner.weights = {1.0F};
    return;
  }
  inner = SampleAxis(axes[order.back()], to.extents[order.back()], from.steps[order.back()]);
  order.pop_back();
  for (const std::uint32_t axis : order) {
    outer.push_back(SampleAxis(axes[axis], to.extents[axis], from.steps[axis]));
    num_rows *= to.extents[axis];
  }
}

std::unique_ptr<const Kernel> MakeNearestSamples(ResizeSamples samples, std::size_t element_bytes) {
  return std::make_unique<NearestKernel>(std::move(samples), element_bytes);
}

std::unique_ptr<const Kernel> MakeBlendedSamples(ResizeSamples samples) {
  return std::make_unique<BlendedKernel>(std::move(samples));
}

}  // namespace cpuacc
}  // namespace backplane
