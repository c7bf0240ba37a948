#include "kernels/strided_copy.hpp"

#include "threads/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// A thread is worth starting for so many bytes.
constexpr std::int64_t kGrainBytes = 128 * 1024;

class MovesKernel : public Kernel {
 public:
  explicit MovesKernel(std::vector<Move> moves) : moves_(std::move(moves)) {}

  void Run(const KernelRun& run) const override {
    for (const Move& move : moves_) {
      move.copy.Run(run.inputs[move.input], run.outputs[move.output], run.num_threads);
    }
  }

 private:
  std::vector<Move> moves_;
};

}  // namespace

void StridedCopy::AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step) {
  if (extent == 1) return;
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  axes_[num_axes_++] = {extent, from_step * bytes, to_step * bytes};
}

void StridedCopy::Skip(std::int64_t from_elements, std::int64_t to_elements) {
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  from_begin_ += from_elements * bytes;
  to_begin_ += to_elements * bytes;
}

void StridedCopy::Prepare() {
  const auto is_empty = [](const CopyAxis& axis) { return axis.extent == 0; };
  if (std::any_of(axes_, axes_ + num_axes_, is_empty)) return;
  is_empty_ = false;
  SortAxes();
  MergeAxes();
  MergeRun();
  if (num_axes_ > 0) loops_ = ChooseCopyLoops(axes_, num_axes_, run_bytes_);
  ChooseSplit();
}

// In the order in which they are written, so that stores go on where the last ended.
void StridedCopy::SortAxes() {
  std::stable_sort(axes_, axes_ + num_axes_,
                   [](const CopyAxis& a, const CopyAxis& b) { return a.to_step > b.to_step; });
}

void StridedCopy::MergeAxes() {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < num_axes_; ++i) {
    const CopyAxis& inner = axes_[i];
    CopyAxis* outer = count == 0 ? nullptr : &axes_[count - 1];
    if (outer != nullptr && outer->from_step == inner.from_step * inner.extent &&
        outer->to_step == inner.to_step * inner.extent) {
      *outer = {outer->extent * inner.extent, inner.from_step, inner.to_step};
    } else {
      axes_[count++] = inner;
    }
  }
  num_axes_ = count;
}

void StridedCopy::MergeRun() {
  if (num_axes_ == 0) return;
  const CopyAxis& last = axes_[num_axes_ - 1];
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  if (last.from_step != bytes || last.to_step != bytes) return;
  run_bytes_ *= static_cast<std::size_t>(last.extent);
  --num_axes_;
}

// The outermost axis that has work for several threads.
void StridedCopy::ChooseSplit() {
  if (num_axes_ == 0) return;
  auto total = static_cast<std::int64_t>(run_bytes_);
  for (std::uint32_t i = 0; i < num_axes_; ++i) {
    total *= axes_[i].extent;
    if (axes_[split_axis_].extent < 8 && axes_[i].extent > axes_[split_axis_].extent) {
      split_axis_ = i;
    }
  }
  const std::int64_t extent = axes_[split_axis_].extent;
  grain_ = std::max<std::int64_t>(1, kGrainBytes * extent / std::max<std::int64_t>(total, 1));
}

void StridedCopy::Run(const void* from, void* to, int num_threads) const {
  if (is_empty_) return;
  const unsigned char* source = static_cast<const unsigned char*>(from) + from_begin_;
  unsigned char* target = static_cast<unsigned char*>(to) + to_begin_;
  if (num_axes_ == 0) {
    const auto bytes = static_cast<std::int64_t>(run_bytes_);
    ParallelFor(num_threads, bytes, kGrainBytes, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
    });
    return;
  }
  if (num_threads == 1 || grain_ >= axes_[split_axis_].extent) {
    loops_(axes_, num_axes_, run_bytes_, source, target);
    return;
  }
  const CopyAxis& split = axes_[split_axis_];
  ParallelFor(num_threads, split.extent, grain_, [&](std::int64_t begin, std::int64_t end) {
    CopyAxis axes[kMaxCopyAxes];
    std::copy_n(axes_, num_axes_, axes);
    axes[split_axis_].extent = end - begin;
    loops_(axes, num_axes_, run_bytes_, source + begin * split.from_step,
           target + begin * split.to_step);
  });
}

std::unique_ptr<const Kernel> MakeMoves(std::vector<Move> moves) {
  return std::make_unique<MovesKernel>(std::move(moves));
}

std::unique_ptr<const Kernel> MakeMove(StridedCopy copy) {
  copy.Prepare();
  return MakeMoves({{copy}});
}

}  // namespace cpuacc
}  // namespace backplane
