#pragma once

/// Indices that are known only when a layer runs. They may be anything.

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// An index of an axis that is not empty. Negative ones count from the end; what still lies outside
/// becomes the nearest index.
inline std::int64_t GetNearestIndex(std::int64_t index, std::int64_t extent) {
  if (index < 0) index += extent;
  return std::clamp<std::int64_t>(index, 0, extent - 1);
}

/// Whether there is such an index; then `index` is from 0 to less than the extent.
inline bool ResolveIndex(std::int64_t extent, std::int64_t& index) {
  if (index < 0) index += extent;
  return index >= 0 && index < extent;
}

}  // namespace cpu_layers
}  // namespace backplane
