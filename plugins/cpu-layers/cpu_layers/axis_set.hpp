#pragma once

/// Sets of axes, for operators over any of them.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/tensor_info.hpp>

#include <array>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// For each axis, whether it is in the set.
using AxisSet = std::array<bool, kMaxRank>;

/// The set of one axis.
inline AxisSet MakeAxisSet(std::uint32_t axis) {
  AxisSet set = {};
  set[axis] = true;
  return set;
}

/// The set that a descriptor lists which ReadAxes has not refused.
AxisSet MakeAxisSet(std::uint32_t num_axes, const std::uint32_t (&axes)[kMaxRank]);

/// The set that a descriptor lists; refuses what is no axis of input 0, or is there twice.
AxisSet ReadAxes(std::uint32_t num_axes, const std::uint32_t (&axes)[kMaxRank], const Layer& layer,
                 Refusal& refusal);

/// Refuses an output without the shape of input 0 in which the axes of the set are left out, or
/// have extent 1.
void RequireReducedShape(const Layer& layer, const AxisSet& axes, bool keeps_axes,
                         Refusal& refusal);

/// Neighbouring axes of a dense tensor that are all in a set, or all not, as one axis.
struct MergedAxis {
  std::int64_t extent;
  std::int64_t step;
  bool is_in_set;
};

struct MergedAxes {
  std::uint32_t count = 0;
  std::array<MergedAxis, kMaxRank> axes = {};  // from the innermost on
};

/// Axes of extent 1 are left out.
MergedAxes MergeAxes(const TensorShape& shape, const AxisSet& set);

}  // namespace cpu_layers
}  // namespace backplane
