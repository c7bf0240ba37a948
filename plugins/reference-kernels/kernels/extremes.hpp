#pragma once

#include "cpu_layers/axis_span.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

/// NaN is greater than every number.
struct IsGreaterOrNaN {
  template <typename Number>
  bool operator()(Number a, Number b) const {
    return a > b || (a != a && b == b);
  }
};

/// The index along the axis of the element of a line that none is better than: the first of those
/// that are equal.
template <typename Number, typename IsBetter>
std::int64_t FindBest(const Number* line, const AxisSpan& span, IsBetter is_better) {
  std::int64_t best = 0;
  for (std::int64_t k = 1; k < span.extent; ++k) {
    if (is_better(line[k * span.inner], line[best * span.inner])) best = k;
  }
  return best;
}

}  // namespace reference
}  // namespace backplane
