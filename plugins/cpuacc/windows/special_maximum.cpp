#include "windows/special_maximum.hpp"

#include "threads/parallel.hpp"
#include "windows/covered_window.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Window;

/// Image, channel, and the spatial axes; those that a tensor lacks are 0.
using ElementIndex = std::array<std::int64_t, 2 + kMaxSpatialRank>;

/// Where elements lie in a layout of oneDNN.
class ElementPlaces {
 public:
  explicit ElementPlaces(const dnnl::memory::desc& desc) : desc_(desc) {}

  std::int64_t GetExtent(int axis) const { return desc_.data.dims[axis]; }

  std::int64_t Find(const ElementIndex& place) const {
    const dnnl_blocking_desc_t& blocking = desc_.data.format_desc.blocking;
    const int rank = desc_.data.ndims;
    std::array<std::int64_t, 2 + kMaxSpatialRank> left{};
    for (int axis = 0; axis < rank; ++axis) left[axis] = place[GetSource(axis, rank)];
    std::int64_t offset = desc_.data.offset0;
    std::int64_t block_stride = 1;
    for (int block = blocking.inner_nblks; block-- > 0;) {
      std::int64_t& index = left[blocking.inner_idxs[block]];
      offset += index % blocking.inner_blks[block] * block_stride;
      index /= blocking.inner_blks[block];
      block_stride *= blocking.inner_blks[block];
    }
    for (int axis = 0; axis < rank; ++axis) offset += left[axis] * blocking.strides[axis];
    return offset;
  }

 private:
  /// Missing spatial axes are the first ones.
  static std::size_t GetSource(int axis, int rank) {
    const int missing = 2 + static_cast<int>(kMaxSpatialRank) - rank;
    return static_cast<std::size_t>(axis < 2 ? axis : axis + missing);
  }

  dnnl::memory::desc desc_;
};

class MaximumOfAll final : public Kernel {
 public:
  MaximumOfAll(std::unique_ptr<const Kernel> pooling, const Window& window,
               const dnnl::memory::desc& source, const dnnl::memory::desc& target)
      : pooling_(std::move(pooling)),
        window_(window),
        source_(source),
        target_(target),
        num_stored_(static_cast<std::int64_t>(source.get_size() / sizeof(float))) {}

  std::uint64_t GetScratchBytes() const override { return pooling_->GetScratchBytes(); }
  std::unique_ptr<KernelState> MakeState() const override { return pooling_->MakeState(); }

  void Run(const KernelRun& run) const override {
    pooling_->Run(run);
    if (HasSpecial(run)) GoThroughWindows(run);
  }

 private:
  /// NaN, or minus infinity; also what lies in padding of the layout.
  bool HasSpecial(const KernelRun& run) const {
    constexpr std::int64_t kGrain = 64 * 1024;
    const float* const input = run.Input<float>(0);
    std::atomic<bool> is_found{false};
    ParallelFor(run.threads, num_stored_, kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t found = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        found |= input[i] >= std::numeric_limits<float>::lowest() ? 0U : 1U;
      }
      if (found != 0) is_found.store(true, std::memory_order_relaxed);
    });
    return is_found.load();
  }

  void GoThroughWindows(const KernelRun& run) const {
    const std::int64_t num_channels = source_.GetExtent(1);
    ParallelFor(run.threads, source_.GetExtent(0) * num_channels, 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t plane = begin; plane < end; ++plane) {
                    MakePlane(run, plane / num_channels, plane % num_channels);
                  }
                });
  }

  void MakePlane(const KernelRun& run, std::int64_t image, std::int64_t channel) const {
    float* const output = run.Output<float>();
    for (std::int64_t d = 0; d < window_[0].output; ++d) {
      for (std::int64_t h = 0; h < window_[1].output; ++h) {
        for (std::int64_t w = 0; w < window_[2].output; ++w) {
          const ElementIndex place = {image, channel, d, h, w};
          output[target_.Find(place)] = FindGreatest(run.Input<float>(0), place);
        }
      }
    }
  }

  float FindGreatest(const float* input, const ElementIndex& place) const {
    CoveredBox box{};
    for (std::uint32_t axis = 0; axis < kMaxSpatialRank; ++axis) {
      box[axis] = FindCovered(window_[axis], place[axis + 2], PaddingInAverage::kExclude);
    }
    float greatest = -std::numeric_limits<float>::infinity();
    ElementIndex read = place;
    for (std::int64_t d = 0; d < box[0].count; ++d) {
      read[2] = box[0].first + d * window_[0].dilation;
      for (std::int64_t h = 0; h < box[1].count; ++h) {
        read[3] = box[1].first + h * window_[1].dilation;
        for (std::int64_t w = 0; w < box[2].count; ++w) {
          read[4] = box[2].first + w * window_[2].dilation;
          const float element = input[source_.Find(read)];
          if (element > greatest || std::isnan(element)) greatest = element;
        }
      }
    }
    return greatest;
  }

  std::unique_ptr<const Kernel> pooling_;
  Window window_;
  ElementPlaces source_;
  ElementPlaces target_;
  std::int64_t num_stored_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeMaximumOfAll(std::unique_ptr<const Kernel> pooling,
                                               const Window& window,
                                               const dnnl::memory::desc& source,
                                               const dnnl::memory::desc& target) {
  return std::make_unique<MaximumOfAll>(std::move(pooling), window, source, target);
}

}  // namespace cpuacc
}  // namespace backplane
