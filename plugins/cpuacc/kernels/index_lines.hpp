#pragma once

/// How GatherElements and ScatterElements meet indices and values.

#include "kernels/strided_copy.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Indices along one axis of a dense tensor of values, whose other axes may reach further.
class IndexLines {
 public:
  /// The rank is 1 or more.
  IndexLines(const TensorShape& values, const TensorShape& indices, std::uint32_t axis)
      : indices_(indices), steps_(values), axis_(axis), extent_(values[axis]) {}

  std::int64_t GetExtent() const { return extent_; }

  /// Calls visit(position of the index, position of the value that has index 0 along the axis) for
  /// all indices in order.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    const std::uint32_t last = indices_.rank - 1;
    const std::int64_t count = indices_.GetNumElements();
    const std::int64_t step = last == axis_ ? 0 : 1;
    std::int64_t at[kMaxRank] = {};
    std::int64_t value = 0;
    for (std::int64_t position = 0; position < count;) {
      for (std::int64_t i = 0; i < indices_[last]; ++i) visit(position++, value + i * step);
      for (std::uint32_t axis = last; axis-- > 0;) {
        const std::int64_t moved = axis == axis_ ? 0 : steps_[axis];
        value += moved;
        if (++at[axis] < indices_[axis]) break;
        value -= moved * indices_[axis];
        at[axis] = 0;
      }
    }
  }

  /// From one index along the axis to the next, in values.
  std::int64_t GetStep() const { return steps_[axis_]; }

 private:
  TensorShape indices_;
  DenseSteps steps_;
  std::uint32_t axis_;
  std::int64_t extent_;
};

}  // namespace cpuacc
}  // namespace backplane
