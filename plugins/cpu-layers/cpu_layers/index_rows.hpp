#pragma once

/// How GatherElements and ScatterElements meet the elements of the larger tensor.

#include "cpu_layers/dense_steps.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

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

  std::int64_t GetNumIndices() const { return indices_.GetNumElements(); }

  /// How many indices a row along the innermost axis has, and how many rows there are.
  std::int64_t GetRowLength() const { return indices_[indices_.rank - 1]; }
  std::int64_t GetNumRows() const {
    return GetRowLength() == 0 ? 0 : GetNumIndices() / GetRowLength();
  }
  /// From one index of a row to the next, in values.
  std::int64_t GetRowStep() const { return axis_ + 1 == indices_.rank ? 0 : 1; }

  /// Calls visit(position of the first index, position of the value that has index 0 along the
  /// axis) for the rows `begin` to `end`, in order.
  template <typename Visit>
  void ForEachRow(std::int64_t begin, std::int64_t end, Visit&& visit) const {
    std::int64_t positions[kMaxRank] = {};
    std::int64_t value = 0;
    std::int64_t row = begin;
    for (std::uint32_t axis = indices_.rank - 1; axis-- > 0 && row > 0;) {
      positions[axis] = row % indices_[axis];
      value += positions[axis] * GetValueStep(axis);
      row /= indices_[axis];
    }
    for (; begin < end; ++begin) {
      visit(begin * GetRowLength(), value);
      for (std::uint32_t axis = indices_.rank - 1; axis-- > 0;) {
        value += GetValueStep(axis);
        if (++positions[axis] < indices_[axis]) break;
        value -= GetValueStep(axis) * indices_[axis];
        positions[axis] = 0;
      }
    }
  }

  /// The same for each index of all rows.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    const std::int64_t length = GetRowLength();
    const std::int64_t row_step = GetRowStep();
    ForEachRow(0, GetNumRows(), [&](std::int64_t first, std::int64_t value) {
      for (std::int64_t i = 0; i < length; ++i) visit(first + i, value + i * row_step);
    });
  }

 private:
  /// From one index along another axis to the next, in values.
  std::int64_t GetValueStep(std::uint32_t axis) const { return axis == axis_ ? 0 : steps_[axis]; }

  const TensorShape indices_;
  const DenseSteps steps_;
  const std::uint32_t axis_;
  const std::int64_t extent_;
};

}  // namespace cpu_layers
}  // namespace backplane
