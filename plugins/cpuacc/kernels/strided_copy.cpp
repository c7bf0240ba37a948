#include "kernels/strided_copy.hpp"

#include "kernels/run_bytes.hpp"
#include "kernels/transpose_tile.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The edge of a tile that is transposed: what it reads and writes stays in the first cache.
constexpr std::int64_t kTileEdge = 32;
constexpr std::int64_t kTileElements = kTileEdge * kTileEdge;

/// A thread is worth starting for so many bytes.
constexpr std::int64_t kGrainBytes = 128 * 1024;

/// Calls visit(from, to) for all indices of the axes, in order.
template <typename Visit>
void VisitAxes(const CopyAxis* axes, std::uint32_t num_axes, const unsigned char* from,
               unsigned char* to, Visit&& visit) {
  std::int64_t indices[StridedCopy::kMaxAxes] = {};
  for (;;) {
    visit(from, to);
    std::uint32_t axis = num_axes;
    for (; axis > 0; --axis) {
      const CopyAxis& moved = axes[axis - 1];
      from += moved.from_step;
      to += moved.to_step;
      if (++indices[axis - 1] < moved.extent) break;
      from -= moved.from_step * moved.extent;
      to -= moved.to_step * moved.extent;
      indices[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

/// One run of bytes.
void CopyWhole(const CopyAxis* /*axes*/, std::uint32_t /*num_axes*/, std::size_t run_bytes,
               const unsigned char* from, unsigned char* to) {
  std::memcpy(to, from, run_bytes);
}

/// Runs along the last axis, which `CopyLine(axis, from, to, run)` copies.
template <typename Run, typename CopyLine>
void CopyLines(const CopyAxis* axes, std::uint32_t num_axes, Run run, const unsigned char* from,
               unsigned char* to, CopyLine copy_line) {
  const CopyAxis last = axes[num_axes - 1];
  VisitAxes(axes, num_axes - 1, from, to, [&](const unsigned char* source, unsigned char* target) {
    copy_line(last, source, target, run);
  });
}

template <typename Run>
void CopyRuns(const CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes,
              const unsigned char* from, unsigned char* to) {
  Run run = Run();
  if constexpr (Run::kSize == 0) run.bytes = run_bytes;
  CopyLines(axes, num_axes, run, from, to,
            [](const CopyAxis& axis, const unsigned char* source, unsigned char* target, Run size) {
              for (std::int64_t i = 0; i < axis.extent; ++i) {
                CopyRun(target + i * axis.to_step, source + i * axis.from_step, size);
              }
            });
}

/// One element, repeated next to each other along the last axis.
template <typename Element>
void RepeatElements(const CopyAxis* axes, std::uint32_t num_axes, std::size_t /*run_bytes*/,
                    const unsigned char* from, unsigned char* to) {
  CopyLines(axes, num_axes, 0, from, to,
            [](const CopyAxis& axis, const unsigned char* source, unsigned char* target, int) {
              Element element;
              std::memcpy(&element, source, sizeof(element));
              std::fill_n(reinterpret_cast<Element*>(target), axis.extent, element);
            });
}

/// The last axis is dense where it is written, the one before where it is read.
template <typename Element>
void TransposeTiles(const CopyAxis* axes, std::uint32_t num_axes, std::size_t /*run_bytes*/,
                    const unsigned char* from, unsigned char* to) {
  const CopyAxis read = axes[num_axes - 2];
  const CopyAxis written = axes[num_axes - 1];
  // Beside a short axis, the other goes on for longer.
  const std::int64_t read_edge = std::max(kTileEdge, kTileElements / written.extent);
  const std::int64_t written_edge = std::max(kTileEdge, kTileElements / read.extent);
  const auto copy = [&](const unsigned char* source, unsigned char* target) {
    for (std::int64_t i = 0; i < read.extent; i += read_edge) {
      for (std::int64_t j = 0; j < written.extent; j += written_edge) {
        TransposeTile<Element>(
            {std::min(read_edge, read.extent - i), read.from_step, read.to_step},
            {std::min(written_edge, written.extent - j), written.from_step, written.to_step},
            source + i * read.from_step + j * written.from_step,
            target + i * read.to_step + j * written.to_step);
      }
    }
  };
  VisitAxes(axes, num_axes - 2, from, to, copy);
}

/// Calls function(element) with an unsigned element of so many bytes; `other` for another number.
template <typename Function, typename Result>
Result WithElement(std::size_t bytes, Function&& function, Result other) {
  switch (bytes) {
    case 1:
      return function(std::uint8_t());
    case 2:
      return function(std::uint16_t());
    case 4:
      return function(std::uint32_t());
    case 8:
      return function(std::uint64_t());
    default:
      return other;
  }
}

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
  SortAxes();
  MergeAxes();
  MergeRun();
  ChooseLoops();
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

void StridedCopy::ChooseLoops() {
  if (num_axes_ == 0) {
    loops_ = &CopyWhole;
    return;
  }
  loops_ = WithRun(run_bytes_, [](auto run) -> Loops { return &CopyRuns<decltype(run)>; });
  CopyAxis* last = axes_ + num_axes_ - 1;
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  if (last->to_step != bytes) return;
  if (last->from_step == 0) {
    loops_ = WithElement(
        run_bytes_, [](auto element) -> Loops { return &RepeatElements<decltype(element)>; },
        loops_);
    return;
  }
  CopyAxis* dense =
      std::find_if(axes_, last, [&](const CopyAxis& axis) { return axis.from_step == bytes; });
  if (dense == last) return;
  const Loops before = loops_;
  loops_ = WithElement(
      run_bytes_, [](auto element) -> Loops { return &TransposeTiles<decltype(element)>; }, loops_);
  // Next to the last one.
  if (loops_ != before) std::rotate(dense, dense + 1, last);
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
  if (loops_ == nullptr) return;
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
    CopyAxis axes[kMaxAxes];
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
