#pragma once

/// Sums of products of bytes less their zero points. Both operands are laid out anew as lines of
/// int16_t, so that a sum is that of two contiguous lines and the compiler vectorises it.

#include "layer.hpp"

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane {
namespace cpuref {

/// int8_t or uint8_t elements.
struct Bytes {
  template <typename Visit>
  void VisitElements(Visit&& visit) const {
    if (is_signed) {
      visit(static_cast<const std::int8_t*>(data));
    } else {
      visit(static_cast<const std::uint8_t*>(data));
    }
  }

  const void* data = nullptr;
  bool is_signed = false;
};

/// One for each line, or one for all with a step of 0. Each is a value of int8_t or uint8_t.
struct ZeroPoints {
  std::int32_t Of(std::int64_t line) const { return values[line * step]; }

  const std::int32_t* values = nullptr;
  std::int64_t step = 0;
};

/// How lines lie in memory: behind their elements are zeros up to `padded`, and behind these
/// nothing, up to the next line.
struct LineLayout {
  explicit LineLayout(std::int64_t elements);

  std::int64_t inner;   // elements of a line
  std::int64_t padded;  // a multiple of what vectors hold
  std::int64_t stride;  // from one line to the next
};

/// Where the elements of lines come from.
struct LineSource {
  Bytes bytes;
  std::int64_t begin = 0;  // the first element of the first line
  std::int64_t line_step = 0;
  std::int64_t element_step = 1;
  ZeroPoints zero_points;
};

/// Lays out the lines from `first_line` on.
void PackLines(const LineSource& source, const LineLayout& layout, std::int64_t first_line,
               std::int64_t num_lines, std::int16_t* lines);

/// How many lines are multiplied with how many at once: of the first operand up to kBlockLines.
constexpr std::int64_t kBlockLines = 4;
constexpr std::int64_t kTileLines = 64;

/// sums[i * kTileLines + j] is the product of line i of `block` and line j of `tile`, modulo 2^32.
void MultiplyLines(const LineLayout& layout, const std::int16_t* block, std::int64_t block_lines,
                   const std::int16_t* tile, std::int64_t tile_lines, std::int32_t* sums);

/// Neighbouring sums as they are made.
struct SumRow {
  const std::int32_t* sums = nullptr;
  std::int64_t count = 0;
  std::int64_t output = 0;        // the element of the output that the first sum is for
  std::int64_t channel = 0;       // of the first sum
  std::int64_t channel_step = 0;  // 0: all are of one channel; 1: each is of the next one
};

/// Makes elements of the output from sums.
class SumSink {
 public:
  virtual ~SumSink() = default;
  virtual void Take(const SumRow& row) const = 0;
};

/// The sums are the output.
class PlainSums : public SumSink {
 public:
  explicit PlainSums(std::int32_t* output) : output_(output) {}
  void Take(const SumRow& row) const override;

 private:
  std::int32_t* const output_;
};

}  // namespace cpuref
}  // namespace backplane
