#include "layout/reshaped_steps.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

std::optional<dnnl::memory::dims> FindReshapedSteps(const TensorShape& input,
                                                    const std::int64_t* from,
                                                    const TensorShape& output) {
  dnnl::memory::dims steps(output.rank, 1);
  std::uint32_t axis = input.rank;  // behind the axis that is taken apart now
  std::int64_t left = 1;            // of the extent of the axis
  std::int64_t step = 1;
  for (std::uint32_t to = output.rank; to-- > 0;) {
    steps[to] = step;
    for (std::int64_t wanted = output[to]; wanted > 1;) {
      if (left == 1) {
        do --axis;
        while (input[axis] == 1);
        // The axis goes on where the one behind it, of which a part is taken already, ends.
        if (wanted != output[to] && from[axis] != step) return {};
        if (wanted == output[to]) steps[to] = from[axis];
        left = input[axis];
        step = from[axis];
      }
      const std::int64_t taken = std::min(left, wanted);
      if (left % taken != 0 || wanted % taken != 0) return {};
      left /= taken;
      wanted /= taken;
      step *= taken;
    }
  }
  return steps;
}

}  // namespace cpuacc
}  // namespace backplane
