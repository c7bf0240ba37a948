#pragma once

/// Broadcasting, as in numpy: shapes are aligned at their last axis; an axis of extent 1, or one
/// that is missing in front, is repeated.

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuref {

/// The shape that two shapes broadcast to; nothing when they do not.
std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b);

/// How the elements of two operands are met in the order of the elements of the result. Axes along
/// which both operands go on in the same way are merged, so that the last axis is long; there is
/// at least one.
struct Broadcast {
  std::uint32_t rank = 0;
  std::int64_t extents[kMaxRank] = {};
  std::int64_t steps_a[kMaxRank] = {};  // elements from one index to the next; 0 repeats
  std::int64_t steps_b[kMaxRank] = {};
};

/// `result` is what BroadcastShapes gives for `a` and `b`.
Broadcast MakeBroadcast(const TensorShape& a, const TensorShape& b, const TensorShape& result);

/// Calls visit(offset in a, offset in b) for each combination of indices of the first `num_axes`
/// axes, in order. No extent is 0.
template <typename Visit>
void VisitLeadingAxes(const Broadcast& broadcast, std::uint32_t num_axes, Visit&& visit) {
  std::int64_t indices[kMaxRank] = {};
  std::int64_t offset_a = 0;
  std::int64_t offset_b = 0;
  for (;;) {
    visit(offset_a, offset_b);
    std::uint32_t axis = num_axes;
    for (; axis > 0; --axis) {
      const std::uint32_t i = axis - 1;
      offset_a += broadcast.steps_a[i];
      offset_b += broadcast.steps_b[i];
      if (++indices[i] < broadcast.extents[i]) break;
      offset_a -= broadcast.steps_a[i] * broadcast.extents[i];
      offset_b -= broadcast.steps_b[i] * broadcast.extents[i];
      indices[i] = 0;
    }
    if (axis == 0) return;
  }
}

}  // namespace cpuref
}  // namespace backplane
