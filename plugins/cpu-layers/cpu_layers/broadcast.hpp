#pragma once

/// Broadcasting, as in numpy: shapes are aligned at their last axis; an axis of extent 1, or one
/// that is missing in front, is repeated.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace backplane {
namespace cpu_layers {

constexpr std::uint32_t kMostOperands = 3;

/// The shape that two shapes broadcast to; nothing when they do not.
std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b);

/// Refuses inputs that do not broadcast together, and an output of another shape than theirs.
void RequireBroadcast(const Layer& layer, Refusal& refusal);

/// Refuses a slope, input 1, that does not broadcast to input 0, and an output of another shape
/// than that of input 0.
void RequirePrelu(const Layer& layer, Refusal& refusal);

/// How the elements of up to three operands are met in the order of the elements of the result.
/// Axes along which all operands go on in the same way are merged, so that the last axis is long;
/// there is at least one.
struct Broadcast {
  std::uint32_t rank = 0;
  std::int64_t extents[kMaxRank] = {};
  /// Elements from one index to the next, for each operand; 0 repeats.
  std::int64_t steps[kMostOperands][kMaxRank] = {};
};

/// `result` is what the operands broadcast to; there are at most kMostOperands.
Broadcast MakeBroadcast(const std::vector<TensorShape>& operands, const TensorShape& result);
inline Broadcast MakeBroadcast(const TensorShape& a, const TensorShape& b,
                               const TensorShape& result) {
  return MakeBroadcast({a, b}, result);
}

/// Of all inputs of a layer, with the shape of its output.
Broadcast MakeBroadcast(const Layer& layer);

/// Calls visit(offset in a, offset in b), or with the offset in the third operand too, for each
/// combination of indices of the first `num_axes` axes, in order. No extent is 0.
template <typename Visit>
void VisitLeadingAxes(const Broadcast& broadcast, std::uint32_t num_axes, Visit&& visit) {
  std::int64_t indices[kMaxRank] = {};
  std::int64_t offsets[kMostOperands] = {};
  for (;;) {
    if constexpr (std::is_invocable<Visit, std::int64_t, std::int64_t>::value) {
      visit(offsets[0], offsets[1]);
    } else {
      visit(offsets[0], offsets[1], offsets[2]);
    }
    std::uint32_t axis = num_axes;
    for (; axis > 0; --axis) {
      const std::uint32_t i = axis - 1;
      const bool goes_on = ++indices[i] < broadcast.extents[i];
      const std::int64_t moved = goes_on ? 1 : 1 - broadcast.extents[i];
      for (std::uint32_t operand = 0; operand < kMostOperands; ++operand) {
        offsets[operand] += broadcast.steps[operand][i] * moved;
      }
      if (goes_on) break;
      indices[i] = 0;
    }
    if (axis == 0) return;
  }
}

}  // namespace cpu_layers
}  // namespace backplane
