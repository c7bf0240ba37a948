#include "kernels/plane_convolution.hpp"

namespace backplane {
namespace cpuref {

PlaneAxis::PlaneAxis(const WindowAxis& axis) : window(axis) {
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t distance = k * axis.dilation;
    const std::int64_t begin = distance % axis.stride;
    const auto found = std::find(phases.begin(), phases.end(), begin);
    taps.push_back({found - phases.begin(), distance / axis.stride});
    if (found == phases.end()) phases.push_back(begin);
  }
  length = axis.output + (axis.kernel - 1) * axis.dilation / axis.stride;
}

OutputRange PlaneAxis::FindInside(std::int64_t phase_begin) const {
  OutputRange range = {0, length};
  const auto get_index = [&](std::int64_t element) {
    return element * window.stride + phase_begin - window.pad_begin;
  };
  while (range.begin < range.end && get_index(range.begin) < 0) ++range.begin;
  while (range.begin < range.end && get_index(range.end - 1) >= window.input) --range.end;
  return range;
}

}  // namespace cpuref
}  // namespace backplane
