#pragma once

#include "cpu_layers/axis_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace backplane {
namespace cpu_layers {

/// For each lane of a block, the element of its group with the greatest exponent beta * input.
/// Subtracted from the elements, it keeps every exponential at most 1. NaN is passed over; it
/// spoils the sum anyway.
template <typename Number>
void FindExtremes(const AxisGroups& groups, const Number* input, const AxisGroups::Block& block,
                  Number beta, Number (&extremes)[AxisGroups::kLanes]) {
  const auto sign = static_cast<Number>(beta < 0 ? -1 : 1);
  groups.Reduce(
      input, block, -std::numeric_limits<Number>::infinity(), extremes,
      [sign](Number so_far, Number x, std::int64_t) { return std::max(so_far, sign * x); },
      [](Number a, Number b) { return std::max(a, b); });
  groups.FinishStates(block, extremes, [sign](Number greatest) { return sign * greatest; });
}

}  // namespace cpu_layers
}  // namespace backplane
