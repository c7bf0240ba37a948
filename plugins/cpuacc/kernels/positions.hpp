#pragma once

/// Positions, one index for each of some axes, that GatherNd and ScatterNd read.

#include "kernels/strided_copy.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

struct PositionAxis {
  std::int64_t extent;
  std::int64_t step;  // in elements
};

/// The `count` axes from `begin` on.
inline std::vector<PositionAxis> GetPositionAxes(const TensorShape& values, std::uint32_t begin,
                                                 std::uint32_t count) {
  const DenseSteps steps(values);
  std::vector<PositionAxis> axes;
  for (std::uint32_t axis = begin; axis < begin + count; ++axis) {
    axes.push_back({values[axis], steps[axis]});
  }
  return axes;
}

}  // namespace cpuacc
}  // namespace backplane
