#include "graph/axis_set.hpp"

namespace backplane {

AxisSet ReadAxes(const OperatorInputs& inputs, std::uint32_t num_axes,
                 const std::uint32_t (&axes)[kMaxRank]) {
  if (num_axes > kMaxRank) {
    inputs.Fail(
        DiagnosticCode::kInvalidDescriptor, "num_axes is out of range",
        "found " + std::to_string(num_axes) + "; expected at most " + std::to_string(kMaxRank),
        "list each axis once");
  }
  AxisSet set = {};
  for (std::uint32_t i = 0; i < num_axes; ++i) {
    inputs.RequireAxis(axes[i]);
    if (set[axes[i]]) {
      inputs.Fail(
          DiagnosticCode::kInvalidDescriptor, "an axis is there twice",
          "found axis " + std::to_string(axes[i]) + " more than once; expected different axes",
          "list each axis once");
    }
    set[axes[i]] = true;
  }
  return set;
}

}  // namespace backplane
