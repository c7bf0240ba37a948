#include "cpu_layers/axis_set.hpp"

namespace backplane {
namespace cpu_layers {

AxisSet MakeAxisSet(std::uint32_t num_axes, const std::uint32_t (&axes)[kMaxRank]) {
  AxisSet set = {};
  for (std::uint32_t i = 0; i < num_axes; ++i) set[axes[i]] = true;
  return set;
}

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

void RequireReducedShape(const Layer& layer, const AxisSet& axes, bool keeps_axes,
                         Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  TensorShape expected;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    if (!axes[axis]) expected.Append(input[axis]);
    if (axes[axis] && keeps_axes) expected.Append(1);
  }
  RequireOutputShape(layer, expected, refusal);
}

MergedAxes MergeAxes(const TensorShape& shape, const AxisSet& set) {
  MergedAxes merged;
  std::int64_t step = 1;
  for (std::uint32_t axis = shape.rank; axis-- > 0;) {
    const std::int64_t extent = shape[axis];
    if (extent == 1) continue;
    if (merged.count > 0 && merged.axes[merged.count - 1].is_in_set == set[axis]) {
      merged.axes[merged.count - 1].extent *= extent;
    } else {
      merged.axes[merged.count++] = {extent, step, set[axis]};
    }
    step *= extent;
  }
  return merged;
}

}  // namespace cpu_layers
}  // namespace backplane
