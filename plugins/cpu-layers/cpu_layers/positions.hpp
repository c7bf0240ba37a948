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

  /// Errors: InvalidArgumentException when one of so many positions lies outside of the axes.
  template <typename Index>
  void Check(const Index* positions, std::int64_t count) const {
    const Index* index = positions;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const Axis& axis : axes_) {
        if (IsOutside(*index, axis.extent)) ThrowOutside(*index, index - positions, axis.extent);
        ++index;
      }
    }
  }

  /// The first element of a position that exists.
  template <typename Index>
  std::int64_t Find(const Index* position) const {
    std::int64_t offset = 0;
    for (const Axis& axis : axes_) offset += GetIndex(*position++, axis.extent) * axis.step;
    return offset;
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
