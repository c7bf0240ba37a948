#pragma once

/// How a chain passes over the memory of its output, and what it reads beside each element.

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How far a tensor goes on along each axis of the output's memory; 0 where it repeats.
using Strides = std::vector<std::int64_t>;

/// What a tensor gives to one row of the output.
enum class RowAccess : std::uint32_t {
  kNumber,      // the same number everywhere
  kContiguous,  // an element for each
  kExpanded,    // anything else: written out first
};

struct TensorLoops {
  Strides strides;
  RowAccess access = RowAccess::kContiguous;
  std::int64_t period = 0;  // after how many elements blocks repeat, and so all are the same; or 0
};

/// The output is rows one after the other, each of blocks that stay in the first cache.
struct ElementLoops {
  std::vector<std::int64_t> extents;  // outermost first; as few axes as can be
  std::size_t first_row_axis = 0;     // this axis and those behind it are within a row
  std::int64_t row_length = 1;
  std::int64_t num_rows = 1;
  std::int64_t block_length = 1;  // the last block of a row may be shorter
  std::int64_t blocks_per_row = 1;
  std::vector<TensorLoops> tensors;
};

constexpr std::int64_t kMaxBlockLength = 512;

/// `tensors`: the strides of each along `extents`.
ElementLoops MakeElementLoops(std::vector<std::int64_t> extents, std::vector<Strides> tensors);

/// Writes out what a tensor gives to `count` elements of a row, from `start` on, where a block
/// begins. `row` is where the row begins in the tensor.
void ExpandElements(const ElementLoops& loops, const TensorLoops& tensor, const float* row,
                    std::int64_t start, std::int64_t count, float* expanded);

/// A position that goes from row to row.
class RowCursor {
 public:
  static constexpr std::size_t kMaxAxes = 16;
  static constexpr std::size_t kMaxTensors = 9;

  RowCursor(const ElementLoops& loops, std::int64_t row);

  void GoOn();
  /// Where the row begins in a tensor, in elements.
  std::int64_t GetOffset(std::size_t tensor) const { return offsets_[tensor]; }

 private:
  const ElementLoops& loops_;
  std::int64_t indices_[kMaxAxes];
  std::int64_t offsets_[kMaxTensors];
};

}  // namespace cpuacc
}  // namespace backplane
