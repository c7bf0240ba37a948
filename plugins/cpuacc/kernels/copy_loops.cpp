#include "kernels/copy_loops.hpp"

#include "kernels/run_bytes.hpp"
#include "kernels/transpose_tile.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {
namespace cpuacc {
namespace {

/// The edge of a tile that is transposed: what it reads and writes stays in the first cache.
constexpr std::int64_t kTileEdge = 32;
constexpr std::int64_t kTileElements = kTileEdge * kTileEdge;

/// Calls visit(from, to) for all indices of the axes, in order.
template <typename Visit>
void VisitAxes(const CopyAxis* axes, std::uint32_t num_axes, const unsigned char* from,
               unsigned char* to, Visit&& visit) {
  std::int64_t indices[kMaxCopyAxes] = {};
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

}  // namespace

CopyLoops ChooseCopyLoops(CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes) {
  const CopyLoops runs =
      WithRun(run_bytes, [](auto run) -> CopyLoops { return &CopyRuns<decltype(run)>; });
  CopyAxis* last = axes + num_axes - 1;
  const auto bytes = static_cast<std::int64_t>(run_bytes);
  if (last->to_step != bytes) return runs;
  if (last->from_step == 0) {
    return WithElement(
        run_bytes, [](auto element) -> CopyLoops { return &RepeatElements<decltype(element)>; },
        runs);
  }
  CopyAxis* dense =
      std::find_if(axes, last, [&](const CopyAxis& axis) { return axis.from_step == bytes; });
  if (dense == last) return runs;
  const CopyLoops tiles = WithElement(
      run_bytes, [](auto element) -> CopyLoops { return &TransposeTiles<decltype(element)>; },
      runs);
  // Next to the last one.
  if (tiles != runs) std::rotate(dense, dense + 1, last);
  return tiles;
}

}  // namespace cpuacc
}  // namespace backplane
