#pragma once

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How far the matrices of one batch lie behind those of the first. `extents` and `steps` have one
/// number for each of the batch axes.
template <typename Extents, typename Steps>
std::int64_t FindBatchOffset(std::uint32_t num_axes, const Extents& extents, const Steps& steps,
                             std::int64_t batch) {
  std::int64_t offset = 0;
  for (std::uint32_t axis = num_axes; axis-- > 0; batch /= extents[axis]) {
    offset += batch % extents[axis] * steps[axis];
  }
  return offset;
}

}  // namespace cpuacc
}  // namespace backplane
