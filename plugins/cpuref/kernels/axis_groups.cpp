#include "kernels/axis_groups.hpp"

#include "elements/arithmetic.hpp"

namespace backplane {
namespace cpuref {
namespace {

/// Neighbouring axes that are all in the set, or all not, as one axis.
struct MergedAxis {
  std::int64_t extent;
  std::int64_t step;
  bool is_grouped;
};

struct MergedAxes {
  std::uint32_t count = 0;
  std::array<MergedAxis, kMaxRank> axes = {};
};

// From the innermost on. Extents of 1 change nothing.
MergedAxes MergeAxes(const TensorShape& shape, const AxisSet& set) {
  MergedAxes merged;
  std::int64_t step = 1;
  for (std::uint32_t axis = shape.rank; axis-- > 0;) {
    const std::int64_t extent = shape[axis];
    if (extent == 1) continue;
    if (merged.count > 0 && merged.axes[merged.count - 1].is_grouped == set[axis]) {
      MergedAxis& last = merged.axes[merged.count - 1];
      last.extent = Multiply(last.extent, extent);
    } else {
      merged.axes[merged.count++] = {extent, step, set[axis]};
    }
    step = Multiply(step, extent);
  }
  return merged;
}

}  // namespace

AxisSet ReadAxes(std::uint32_t num_axes, const std::uint32_t (&axes)[kMaxRank], const Layer& layer,
                 Refusal& refusal) {
  AxisSet set = {};
  if (num_axes > kMaxRank) {
    refusal.Add("num_axes is ", num_axes, ", but must be at most ", kMaxRank);
    return set;
  }
  for (std::uint32_t i = 0; i < num_axes; ++i) {
    if (!RequireAxis(layer, axes[i], refusal)) continue;
    if (set[axes[i]]) refusal.Add("axis ", axes[i], " is there twice");
    set[axes[i]] = true;
  }
  return set;
}

AxisGroups::AxisGroups(const TensorShape& shape, const AxisSet& axes) {
  const MergedAxes merged = MergeAxes(shape, axes);
  for (std::uint32_t i = merged.count; i-- > 0;) {
    const MergedAxis& axis = merged.axes[i];
    if (axis.is_grouped) group_size_ = Multiply(group_size_, axis.extent);
    if (i > 0) {
      (axis.is_grouped ? grouped_ : others_).Append(axis.extent, axis.step);
    } else {
      is_split_ = axis.is_grouped;
      (is_split_ ? run_ : num_neighbours_) = axis.extent;
    }
  }
  num_parts_ = std::max<std::int64_t>(1, std::min(kLanes, run_));
}

}  // namespace cpuref
}  // namespace backplane
