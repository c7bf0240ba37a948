#pragma once

/// Positions, one index for each of some axes, that GatherNd and ScatterNd read.

#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/indices.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// The axes of dense values that a position has indices for.
class PositionAxes {
 public:
  /// The `count` axes from `begin` on.
  PositionAxes(const TensorShape& values, std::uint32_t begin, std::uint32_t count) {
    const DenseSteps steps(values);
    for (std::uint32_t axis = begin; axis < begin + count; ++axis) {
      axes_.push_back({values[axis], steps[axis]});
    }
  }

  std::size_t GetCount() const { return axes_.size(); }

  /// The first element of the nearest position that there is.
  template <typename Index>
  std::int64_t FindNearest(const Index* position) const {
    std::int64_t offset = 0;
    for (const Axis& axis : axes_) offset += GetNearestIndex(*position++, axis.extent) * axis.step;
    return offset;
  }

  /// Whether there is such a position; `offset` is then its first element.
  template <typename Index>
  bool Find(const Index* position, std::int64_t& offset) const {
    offset = 0;
    for (const Axis& axis : axes_) {
      std::int64_t index = *position++;
      if (!ResolveIndex(axis.extent, index)) return false;
      offset += index * axis.step;
    }
    return true;
  }

 private:
  struct Axis {
    std::int64_t extent;
    std::int64_t step;  // in elements
  };

  std::vector<Axis> axes_;
};

}  // namespace cpu_layers
}  // namespace backplane
