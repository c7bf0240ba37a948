#pragma once

/// Copies of a box of elements from one arrangement of its axes to another.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

/// Steps are in elements; `from_step` may be 0, which repeats, or negative.
struct MovedAxis {
  std::int64_t extent;
  std::int64_t from_step;
  std::int64_t to_step;
};

struct Move {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::int64_t from_begin = 0;  // in elements
  std::int64_t to_begin = 0;
  std::vector<MovedAxis> axes;
};

/// Adds the launch that carries it out; none when an extent is 0.
void AppendMove(const Layer& layer, const Move& move, const DeviceLimits& limits, KernelPlan& plan);

}  // namespace opencl
}  // namespace backplane
