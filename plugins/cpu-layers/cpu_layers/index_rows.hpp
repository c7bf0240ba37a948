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

  /// Calls visit(position of the index, position of the value that has index 0 along the axis) for
  /// all indices in order.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    const std::int64_t length = indices_[indices_.rank - 1];
    const std::int64_t count = indices_.GetNumElements();
    const std::int64_t row_step = axis_ + 1 == indices_.rank ? 0 : 1;
    std::int64_t positions[kMaxRank] = {};
    std::int64_t value = 0;
    for (std::int64_t first = 0; first < count; first += length) {
      for (std::int64_t i = 0; i < length; ++i) visit(first + i, value + i * row_step);
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

}  // namespace cpu_layers
}  // namespace backplane
