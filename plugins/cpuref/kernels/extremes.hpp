#pragma once

#include "cpu_layers/axis_span.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuref {

/// NaN is greater than every number.
struct IsGreaterOrNaN {
  template <typename Number>
  bool operator()(Number a, Number b) const {
    return a > b || (a != a && b == b);
  }
};

/// For each of `width` neighbours behind an axis, the index along it of the element that none is
/// better than: the first of those that are equal. The width is as VisitTiles gives it.
template <typename Number, typename Width, typename IsBetter>
void FindBest(const Number* input, const AxisSpan& span, Width width, IsBetter is_better,
              std::int64_t (&indices)[kTile]) {
  Number best[kTile];
  std::copy_n(input, std::int64_t{width}, best);
  std::fill_n(indices, std::int64_t{width}, 0);
  for (std::int64_t k = 1; k < span.extent; ++k) {
    const Number* row = input + k * span.inner;
    for (std::int64_t i = 0; i < width; ++i) {
      const bool is_taken = is_better(row[i], best[i]);
      best[i] = is_taken ? row[i] : best[i];
      indices[i] = is_taken ? k : indices[i];
    }
  }
}

}  // namespace cpuref
}  // namespace backplane
