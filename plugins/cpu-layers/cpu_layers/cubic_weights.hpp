#pragma once

#include <array>

namespace backplane {
namespace cpu_layers {

/// The weights of the 4 neighbours of a place that lies `ratio` behind the second of them, in
/// cubic convolution with the free coefficient `a`. Their sum is 1.
inline std::array<double, 4> GetCubicWeights(double ratio, double a) {
  const auto near = [a](double distance) {
    return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  };
  const auto far = [a](double distance) {
    return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
  };
  return {far(1 + ratio), near(ratio), near(1 - ratio), far(2 - ratio)};
}

}  // namespace cpu_layers
}  // namespace backplane
