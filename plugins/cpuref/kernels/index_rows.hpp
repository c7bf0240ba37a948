#pragma once

/// How GatherElements and ScatterElements meet the elements of the larger tensor.

#include "kernels/strided_copy.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpuref {

/// Indices along one axis of a dense tensor of values, whose other axes may reach further than
/// those of the indices.
class IndexRows {
 public:
  /// The rank is 1 or more.
  IndexRows(const TensorShape& values, const TensorShape& indices, std::uint32_t axis)
      : indices_(indices), steps_(values), axis_(axis), extent_(values[axis]) {}

  std::int64_t GetExtent() const { return extent_; }

  /// From one index along the axis to the next, in values.
  std::int64_t GetStep() const { return steps_[axis_]; }

  /// From one element of a row to the next, when both have the same index along the axis.
  std::int64_t GetRowStep() const { return axis_ + 1 == indices_.rank ? 0 : 1; }

  /// Calls visit(first value, first index, length) for each row along the innermost axis, in order;
  /// the value is the one with index 0 along the axis. Does nothing when there are no indices.
  template <typename Visit>
  void VisitRows(Visit&& visit) const {
    const std::int64_t length = indices_[indices_.rank - 1];
    const std::int64_t count = indices_.GetNumElements();
    std::int64_t positions[kMaxRank] = {};
    std::int64_t value = 0;
    for (std::int64_t first = 0; first < count; first += length) {
      visit(value, first, length);
      for (std::uint32_t axis = indices_.rank - 1; axis-- > 0;) {
        const std::int64_t step = axis == axis_ ? 0 : steps_[axis];
        value += step;
        if (++positions[axis] < indices_[axis]) break;
        value -= step * indices_[axis];
        positions[axis] = 0;
      }
    }
  }

 private:
  const TensorShape indices_;
  const DenseSteps steps_;
  const std::uint32_t axis_;
  const std::int64_t extent_;
};

}  // namespace cpuref
}  // namespace backplane
