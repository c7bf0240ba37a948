#include "kernels/strided_copy.hpp"

#include "kernels/run_bytes.hpp"
#include "kernels/transpose_block.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace backplane {
namespace cpuref {
namespace {

/// A tile has at most so many elements, so that what it reads and writes stays in the cache.
constexpr std::int64_t kTileElements = 1024;
constexpr std::int64_t kTileEdge = 32;

/// Calls visit(offset in `from`, offset in `to`) for all indices of the axes, in order.
template <typename Axis, typename Visit>
void VisitAxes(const Axis* axes, std::uint32_t num_axes, Visit&& visit) {
  std::int64_t indices[2 * kMaxRank] = {};
  std::int64_t from = 0;
  std::int64_t to = 0;
  for (;;) {
    visit(from, to);
    std::uint32_t axis = num_axes;
    for (; axis > 0; --axis) {
      const Axis& moved = axes[axis - 1];
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

template <typename Axis, typename Size>
void CopyRow(const Axis& axis, const unsigned char* from, unsigned char* to, Size size) {
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    std::memcpy(to + i * axis.to_step, from + i * axis.from_step, size());
  }
}

/// Copies a tile of two axes, the longer one in the inner loop.
template <typename Axis, typename Size>
void CopyTile(const Axis& a, const Axis& b, const unsigned char* from, unsigned char* to,
              Size size) {
  const Axis& outer = a.extent > b.extent ? b : a;
  const Axis& inner = a.extent > b.extent ? a : b;
  for (std::int64_t i = 0; i < outer.extent; ++i) {
    CopyRow(inner, from + i * outer.from_step, to + i * outer.to_step, size);
  }
}

/// The same along axes of which one is dense on each side: in blocks, as far as these fit. They go
/// on along what is written.
template <typename Element, typename Axis>
void TransposeTile(const Axis& read, const Axis& written, const unsigned char* from,
                   unsigned char* to) {
  using Block = TransposeBlock<Element>;
  constexpr auto kEdge = static_cast<std::int64_t>(Block::kEdge);
  const std::int64_t whole_read = read.extent - read.extent % kEdge;
  const std::int64_t whole_written = written.extent - written.extent % kEdge;
  for (std::int64_t i = 0; i < whole_read; i += kEdge) {
    for (std::int64_t j = 0; j < whole_written; j += kEdge) {
      Block::Run(from + i * read.from_step + j * written.from_step, written.from_step,
                 to + i * read.to_step + j * written.to_step, read.to_step);
    }
  }
  const FixedBytes<sizeof(Element)> size;
  const Axis beside = {written.extent - whole_written, written.from_step, written.to_step};
  CopyTile(Axis{whole_read, read.from_step, read.to_step}, beside,
           from + whole_written * written.from_step, to + whole_written * written.to_step, size);
  CopyTile(Axis{read.extent - whole_read, read.from_step, read.to_step}, written,
           from + whole_read * read.from_step, to + whole_read * read.to_step, size);
}

/// The elements of a size in whose blocks tiles are transposed.
template <typename Size>
struct BlockElement {
  using Type = void;
};
template <>
struct BlockElement<FixedBytes<1>> {
  using Type = std::uint8_t;
};
template <>
struct BlockElement<FixedBytes<2>> {
  using Type = std::uint16_t;
};
template <>
struct BlockElement<FixedBytes<4>> {
  using Type = std::uint32_t;
};
template <>
struct BlockElement<FixedBytes<8>> {
  using Type = std::uint64_t;
};

}  // namespace

void StridedCopy::AddAxis(std::int64_t extent, std::int64_t from_step, std::int64_t to_step) {
  if (extent == 0) is_empty_ = true;
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
  if (is_empty_) return;
  SortAxes();
  MergeAxes();
  MergeIntoRuns();
  ChooseTiles();
}

// In the order in which they are written, so that stores go on where the last ended.
void StridedCopy::SortAxes() {
  std::sort(axes_, axes_ + num_axes_,
            [](const Axis& a, const Axis& b) { return a.to_step > b.to_step; });
}

void StridedCopy::MergeAxes() {
  std::uint32_t merged = 0;
  for (std::uint32_t i = 1; i < num_axes_; ++i) {
    Axis& outer = axes_[merged];
    const Axis& inner = axes_[i];
    if (outer.from_step == inner.from_step * inner.extent &&
        outer.to_step == inner.to_step * inner.extent) {
      outer = {outer.extent * inner.extent, inner.from_step, inner.to_step};
    } else {
      axes_[++merged] = inner;
    }
  }
  num_axes_ = std::min(num_axes_, merged + 1);
}

void StridedCopy::MergeIntoRuns() {
  if (num_axes_ == 0) return;
  const Axis& last = axes_[num_axes_ - 1];
  const auto bytes = static_cast<std::int64_t>(run_bytes_);
  if (last.from_step != bytes || last.to_step != bytes) return;
  run_bytes_ *= static_cast<std::size_t>(last.extent);
  --num_axes_;
}

// Where reading jumps along the last axis, the axis along which it jumps least comes next to it.
void StridedCopy::ChooseTiles() {
  if (num_axes_ < 2) return;
  Axis* last = axes_ + num_axes_ - 1;
  Axis* nearest = last;
  for (Axis* axis = axes_; axis != last; ++axis) {
    if (axis->from_step != 0 && std::abs(axis->from_step) < std::abs(nearest->from_step)) {
      nearest = axis;
    }
  }
  if (nearest == last) return;
  std::rotate(nearest, nearest + 1, last);
  is_tiled_ = true;
}

template <typename Size>
void StridedCopy::RunRows(const unsigned char* from, unsigned char* to, Size size) const {
  const Axis& last = axes_[num_axes_ - 1];
  VisitAxes(axes_, num_axes_ - 1, [&](std::int64_t from_offset, std::int64_t to_offset) {
    CopyRow(last, from + from_offset, to + to_offset, size);
  });
}

template <typename Size>
void StridedCopy::RunTiles(const unsigned char* from, unsigned char* to, Size size) const {
  const Axis& a = axes_[num_axes_ - 2];
  const Axis& b = axes_[num_axes_ - 1];
  // Beside a short axis the other goes on for longer.
  const std::int64_t edge_a = std::max(kTileEdge, kTileElements / b.extent);
  const std::int64_t edge_b = std::max(kTileEdge, kTileElements / a.extent);
  using Element = typename BlockElement<Size>::Type;
  const auto bytes = static_cast<std::int64_t>(size());
  const bool is_dense = a.from_step == bytes && b.to_step == bytes;
  VisitAxes(axes_, num_axes_ - 2, [&](std::int64_t from_offset, std::int64_t to_offset) {
    for (std::int64_t i = 0; i < a.extent; i += edge_a) {
      for (std::int64_t j = 0; j < b.extent; j += edge_b) {
        const Axis part_a = {std::min(edge_a, a.extent - i), a.from_step, a.to_step};
        const Axis part_b = {std::min(edge_b, b.extent - j), b.from_step, b.to_step};
        const unsigned char* tile = from + from_offset + i * a.from_step + j * b.from_step;
        unsigned char* written = to + to_offset + i * a.to_step + j * b.to_step;
        if constexpr (!std::is_void<Element>::value) {
          if (is_dense) {
            TransposeTile<Element>(part_a, part_b, tile, written);
            continue;
          }
        }
        CopyTile(part_a, part_b, tile, written, size);
      }
    }
  });
}

void StridedCopy::Run(const void* from, void* to) const {
  if (is_empty_) return;
  const unsigned char* from_begin = static_cast<const unsigned char*>(from) + from_begin_;
  unsigned char* to_begin = static_cast<unsigned char*>(to) + to_begin_;
  if (num_axes_ == 0) {
    std::memcpy(to_begin, from_begin, run_bytes_);
    return;
  }
  WithRunBytes(run_bytes_, [&](auto size) {
    is_tiled_ ? RunTiles(from_begin, to_begin, size) : RunRows(from_begin, to_begin, size);
  });
}

}  // namespace cpuref
}  // namespace backplane
