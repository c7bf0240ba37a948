#include "kernels/byte_lines.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {
namespace {

constexpr std::int64_t kVectorElements = 16;
constexpr std::int64_t kCacheLineElements = 32;

/// So many products of differences of bytes never overflow an int32_t.
constexpr std::int64_t kSafeProducts = 32768;
static_assert(kSafeProducts * 255 * 255 <= 0x7fffffff, "a sum fits");

std::int64_t RoundUp(std::int64_t count, std::int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

template <typename Byte>
void PackContiguous(const Byte* source, std::int32_t zero_point, const LineLayout& layout,
                    std::int16_t* line) {
  for (std::int64_t k = 0; k < layout.inner; ++k) {
    line[k] = static_cast<std::int16_t>(source[k] - zero_point);
  }
}

/// Lines that lie next to each other: read along memory.
template <typename Byte>
void PackInterleaved(const Byte* source, const LineSource& from, const LineLayout& layout,
                     std::int64_t first_line, std::int64_t num_lines, std::int16_t* lines) {
  for (std::int64_t k = 0; k < layout.inner; ++k) {
    const Byte* elements = source + k * from.element_step;
    for (std::int64_t i = 0; i < num_lines; ++i) {
      lines[i * layout.stride + k] = static_cast<std::int16_t>(elements[i * from.line_step] -
                                                               from.zero_points.Of(first_line + i));
    }
  }
}

/// kLines lines with one. The length is a multiple of kVectorElements.
template <int kLines>
void MultiplyWithLine(const std::int16_t* lines, std::int64_t stride, const std::int16_t* line,
                      std::int64_t length, std::int32_t* totals) {
  const std::int64_t whole = length / kVectorElements * kVectorElements;
  std::int32_t sums[kLines] = {};
  for (std::int64_t k = 0; k < whole; ++k) {
    for (int i = 0; i < kLines; ++i) sums[i] += lines[i * stride + k] * line[k];
  }
  for (int i = 0; i < kLines; ++i) totals[i] = sums[i];
}

template <int kLines>
void MultiplyWithTile(const LineLayout& layout, const std::int16_t* lines, const std::int16_t* tile,
                      std::int64_t tile_lines, std::int32_t* sums) {
  for (std::int64_t j = 0; j < tile_lines; ++j) {
    std::uint32_t totals[kLines] = {};
    for (std::int64_t k = 0; k < layout.padded; k += kSafeProducts) {
      std::int32_t part[kLines];
      MultiplyWithLine<kLines>(lines + k, layout.stride, tile + j * layout.stride + k,
                               std::min(kSafeProducts, layout.padded - k), part);
      for (int i = 0; i < kLines; ++i) totals[i] += static_cast<std::uint32_t>(part[i]);
    }
    for (int i = 0; i < kLines; ++i) {
      sums[i * kTileLines + j] = static_cast<std::int32_t>(totals[i]);
    }
  }
}

}  // namespace

// An odd number of cache lines from one line to the next keeps them apart in the cache.
LineLayout::LineLayout(std::int64_t elements)
    : inner(elements),
      padded(RoundUp(elements, kVectorElements)),
      stride((RoundUp(padded, kCacheLineElements) / kCacheLineElements | 1) * kCacheLineElements) {}

void PackLines(const LineSource& source, const LineLayout& layout, std::int64_t first_line,
               std::int64_t num_lines, std::int16_t* lines) {
  source.bytes.VisitElements([&](const auto* elements) {
    if (layout.inner == 0) return;  // there may be no memory
    elements += source.begin + first_line * source.line_step;
    if (source.element_step == 1) {
      for (std::int64_t i = 0; i < num_lines; ++i) {
        PackContiguous(elements + i * source.line_step, source.zero_points.Of(first_line + i),
                       layout, lines + i * layout.stride);
      }
    } else {
      PackInterleaved(elements, source, layout, first_line, num_lines, lines);
    }
  });
  for (std::int64_t i = 0; i < num_lines; ++i) {
    std::fill(lines + i * layout.stride + layout.inner, lines + i * layout.stride + layout.padded,
              std::int16_t{});
  }
}

void MultiplyLines(const LineLayout& layout, const std::int16_t* block, std::int64_t block_lines,
                   const std::int16_t* tile, std::int64_t tile_lines, std::int32_t* sums) {
  if (block_lines == kBlockLines) {
    return MultiplyWithTile<kBlockLines>(layout, block, tile, tile_lines, sums);
  }
  for (std::int64_t i = 0; i < block_lines; ++i) {
    MultiplyWithTile<1>(layout, block + i * layout.stride, tile, tile_lines, sums + i * kTileLines);
  }
}

void PlainSums::Take(const SumRow& row) const {
  std::copy_n(row.sums, row.count, output_ + row.output);
}

}  // namespace cpuref
}  // namespace backplane
