#pragma once

/// The part of the input that lies under a window.

#include "cpu_layers/window.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <array>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// What a window covers along one axis.
struct Covered {
  std::int64_t first;    // index of the input
  std::int64_t count;    // elements of the input
  std::int64_t counted;  // elements that an average counts
};

using CoveredBox = std::array<Covered, kMaxSpatialRank>;

Covered FindCovered(const cpu_layers::WindowAxis& axis, std::int64_t output,
                    PaddingInAverage padding);

/// Elements that an average counts: padding may be so wide that no integer holds it.
inline double CountElements(const CoveredBox& place) {
  double count = 1;
  for (const Covered& covered : place) count *= static_cast<double>(covered.counted);
  return count;
}

}  // namespace cpuacc
}  // namespace backplane
