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

}  // namespace cpuref
}  // namespace backplane
