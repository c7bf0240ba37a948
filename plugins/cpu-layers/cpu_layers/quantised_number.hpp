#pragma once

/// What quantised elements mean, and how real numbers become such.

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpu_layers {

template <typename Stored>
double ToReal(Stored stored, double scale, double zero_point) {
  return scale * (static_cast<double>(stored) - zero_point);
}

/// round-half-to-even(real / scale) + zero point, saturated, where NaN counts as 0.
template <typename Stored>
Stored ToStored(double real, double scale, double zero_point) {
  constexpr double kLeast = std::numeric_limits<Stored>::lowest();
  constexpr double kGreatest = std::numeric_limits<Stored>::max();
  const double stored = std::nearbyint(real / scale) + zero_point;
  if (std::isnan(stored)) return static_cast<Stored>(zero_point);
  return static_cast<Stored>(std::min(std::max(stored, kLeast), kGreatest));
}

}  // namespace cpu_layers
}  // namespace backplane
