#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Distances, in elements, from one index of a dense tensor to the next.
struct DenseSteps {
  explicit DenseSteps(const TensorShape& shape) {
    std::int64_t step = 1;
    for (std::uint32_t axis = shape.rank; axis-- > 0;) {
      steps[axis] = step;
      step *= shape[axis];
    }
  }
  std::int64_t operator[](std::uint32_t axis) const { return steps[axis]; }

  std::int64_t steps[kMaxRank] = {};
};

}  // namespace cpu_layers
}  // namespace backplane
