#pragma once

#include "cpu_layers/axis_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace backplane {
namespace cpu_layers {

/// For each lane of a block, the greatest of the exponents beta * input of its group. Subtracted
/// from them it keeps every exponential at most 1. NaN is passed over; it spoils the sum anyway.
template <typename Number>
void FindGreatestExponents(const AxisGroups& groups, const Number* input,
                           const AxisGroups::Block& block, Number beta,
                           Number (&greatest)[AxisGroups::kLanes]) {
  groups.Reduce(
      input, block, -std::numeric_limits<Number>::infinity(), greatest,
      [beta](Number so_far, Number x, std::int64_t) { return std::max(so_far, beta * x); },
      [](Number a, Number b) { return std::max(a, b); });
}

}  // namespace cpu_layers
}  // namespace backplane
