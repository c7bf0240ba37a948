#include "cpu_layers/axis_groups.hpp"

namespace backplane {
namespace cpu_layers {

AxisGroups::AxisGroups(const TensorShape& shape, const AxisSet& axes) {
  const MergedAxes merged = MergeAxes(shape, axes);
  for (std::uint32_t i = merged.count; i-- > 0;) {
    const MergedAxis& axis = merged.axes[i];
    if (axis.is_in_set) group_size_ *= axis.extent;
    if (i > 0) {
      (axis.is_in_set ? grouped_ : others_).Append(axis.extent, axis.step);
    } else {
      is_split_ = axis.is_in_set;
      (is_split_ ? run_ : num_neighbours_) = axis.extent;
    }
  }
  num_parts_ = std::max<std::int64_t>(1, std::min(kLanes, run_));
}

}  // namespace cpu_layers
}  // namespace backplane
