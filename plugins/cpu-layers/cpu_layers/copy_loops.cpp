#include "cpu_layers/copy_loops.hpp"

#include "cpu_layers/run_bytes.hpp"
#include "cpu_layers/transpose_tile.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace backplane {
namespace cpu_layers {
namespace {

/// The edge of a tile: what it reads and writes stays in the first cache.
constexpr std::int64_t kTileEdge = 32;
constexpr std::int64_t kTileElements = kTileEdge * kTileEdge;
/// From so many on, runs are copied as fast without tiles.
constexpr std::size_t kLongRunBytes = 32;

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

/// Runs along the last axis, which `copy_line(axis, from, to, run)` copies.
template <typename Run, typename Function>
void CopyLines(const CopyAxis* axes, std::uint32_t num_axes, Run run, const unsigned char* from,
               unsigned char* to, Function copy_line) {
  const CopyAxis last = axes[num_axes - 1];
  VisitAxes(axes, num_axes - 1, from, to, [&](const unsigned char* source, unsigned char* target) {
    copy_line(last, source, target, run);
  });
}

/// The run of which the compiler may know how many bytes it has.
template <typename Run>
Run MakeRun(std::size_t run_bytes) {
  Run run = Run();
  if constexpr (Run::kSize == 0) run.bytes = run_bytes;
  return run;
}

template <typename Run>
void CopyRuns(const CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes,
              const unsigned char* from, unsigned char* to) {
  CopyLines(axes, num_axes, MakeRun<Run>(run_bytes), from, to,
            [](const CopyAxis& axis, const unsigned char* source, unsigned char* target, Run run) {
              CopyLine(axis, run, source, target);
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
              for (std::int64_t i = 0; i < axis.extent; ++i) {
                std::memcpy(target, &element, sizeof(element));
                target += sizeof(element);
              }
            });
}

/// Calls visit_tile(read, written, from, to) for tiles of the last two axes: the one before the
/// last goes on where it is read, the last where it is written.
template <typename Visit>
void ForEachTile(const CopyAxis* axes, std::uint32_t num_axes, const unsigned char* from,
                 unsigned char* to, const Visit& visit_tile) {
  const CopyAxis read = axes[num_axes - 2];
  const CopyAxis written = axes[num_axes - 1];
  // Beside a short axis, the other goes on for longer.
  const std::int64_t read_edge = std::max(kTileEdge, kTileElements / written.extent);
  const std::int64_t written_edge = std::max(kTileEdge, kTileElements / read.extent);
  const auto visit = [&](const unsigned char* source, unsigned char* target) {
    for (std::int64_t i = 0; i < read.extent; i += read_edge) {
      for (std::int64_t j = 0; j < written.extent; j += written_edge) {
        visit_tile(CopyAxis{std::min(read_edge, read.extent - i), read.from_step, read.to_step},
                   CopyAxis{std::min(written_edge, written.extent - j), written.from_step,
                            written.to_step},
                   source + i * read.from_step + j * written.from_step,
                   target + i * read.to_step + j * written.to_step);
      }
    }
  };
  VisitAxes(axes, num_axes - 2, from, to, visit);
}

template <typename Run>
void CopyTiles(const CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes,
               const unsigned char* from, unsigned char* to) {
  ForEachTile(axes, num_axes, from, to,
              [run = MakeRun<Run>(run_bytes)](const CopyAxis& read, const CopyAxis& written,
                                              const unsigned char* source, unsigned char* target) {
                CopyTile(read, written, run, source, target);
              });
}

/// The last axis is dense where it is written, the one before where it is read.
template <typename Element>
void TransposeTiles(const CopyAxis* axes, std::uint32_t num_axes, std::size_t /*run_bytes*/,
                    const unsigned char* from, unsigned char* to) {
  ForEachTile(axes, num_axes, from, to,
              [](const CopyAxis& read, const CopyAxis& written, const unsigned char* source,
                 unsigned char* target) { TransposeTile<Element>(read, written, source, target); });
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

/// The axis along which reading jumps least, but for those that repeat.
CopyAxis* FindNearest(CopyAxis* axes, CopyAxis* last) {
  CopyAxis* nearest = last;
  for (CopyAxis* axis = axes; axis != last; ++axis) {
    if (axis->from_step != 0 && std::abs(axis->from_step) < std::abs(nearest->from_step)) {
      nearest = axis;
    }
  }
  return nearest;
}

}  // namespace

CopyLoops ChooseCopyLoops(CopyAxis* axes, std::uint32_t num_axes, std::size_t run_bytes) {
  const CopyLoops runs =
      WithRun(run_bytes, [](auto run) -> CopyLoops { return &CopyRuns<decltype(run)>; });
  CopyAxis* last = axes + num_axes - 1;
  const auto bytes = static_cast<std::int64_t>(run_bytes);
  const bool is_dense = last->to_step == bytes;
  if (is_dense && last->from_step == 0) {
    return WithElement(
        run_bytes, [](auto element) -> CopyLoops { return &RepeatElements<decltype(element)>; },
        runs);
  }
  CopyAxis* nearest = FindNearest(axes, last);
  if (nearest == last || run_bytes >= kLongRunBytes) return runs;
  const bool is_read_dense = nearest->from_step == bytes;
  // Next to the last one.
  std::rotate(nearest, nearest + 1, last);
  const CopyLoops tiles =
      WithRun(run_bytes, [](auto run) -> CopyLoops { return &CopyTiles<decltype(run)>; });
  if (!is_dense || !is_read_dense) return tiles;
  return WithElement(
      run_bytes, [](auto element) -> CopyLoops { return &TransposeTiles<decltype(element)>; },
      tiles);
}

}  // namespace cpu_layers
}  // namespace backplane
