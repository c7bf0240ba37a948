#pragma once

#include "kernels/axis_span.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace backplane {
namespace cpuref {

/// For each of `width` neighbours behind an axis, the greatest of the exponents beta * input along
/// it. Subtracted from them it keeps every exponential at most 1. NaN is passed over; it spoils the
/// sum anyway.
template <typename Number>
void FindGreatestExponents(const Number* input, const AxisSpan& span, std::int64_t width,
                           Number beta, Number (&greatest)[kTile]) {
  std::fill_n(greatest, width, -std::numeric_limits<Number>::infinity());
  for (std::int64_t k = 0; k < span.extent; ++k) {
    const Number* row = input + k * span.inner;
    for (std::int64_t i = 0; i < width; ++i) greatest[i] = std::max(greatest[i], beta * row[i]);
  }
}

}  // namespace cpuref
}  // namespace backplane
