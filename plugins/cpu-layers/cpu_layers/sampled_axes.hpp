#pragma once

#include "cpu_layers/sampled_axis.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// The spatial axes of an input, [N, C, D1, ..., Dk], that is sampled at the places of a grid.
class SampledAxes {
 public:
  SampledAxes(const GridSampleDescriptor& descriptor, const TensorShape& input)
      : count_(std::min(input.rank - 2, kMaxSpatialRank)) {
    for (std::uint32_t axis = 0; axis < count_; ++axis) {
      axes_[axis] = SampledAxis(descriptor, input[axis + 2]);
    }
  }

  std::uint32_t GetCount() const { return count_; }

  /// Calls visit(offset, weight) for the elements of a channel that make the sample at a place:
  /// all combinations of the neighbours along the axes. The grid names the innermost axis first.
  template <typename Grid, typename Visit>
  void VisitNeighbours(const Grid* grid, const Visit& visit) const {
    AxisTaps of_axes[kMaxSpatialRank];
    for (std::uint32_t axis = 0; axis < count_; ++axis) {
      of_axes[axis] = axes_[axis].FindTaps(static_cast<double>(grid[count_ - 1 - axis]));
    }
    Combine(of_axes, 0, 0, 1.0, visit);
  }

 private:
  template <typename Visit>
  void Combine(const AxisTaps* of_axes, std::uint32_t axis, std::int64_t offset, double weight,
               const Visit& visit) const {
    if (axis >= std::min(count_, kMaxSpatialRank)) return visit(offset, weight);
    for (std::uint32_t tap = 0; tap < of_axes[axis].count; ++tap) {
      Combine(of_axes, axis + 1, offset * axes_[axis].GetExtent() + of_axes[axis].indices[tap],
              weight * of_axes[axis].weights[tap], visit);
    }
  }

  std::array<SampledAxis, kMaxSpatialRank> axes_;
  std::uint32_t count_;
};

}  // namespace cpu_layers
}  // namespace backplane
