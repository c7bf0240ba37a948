#include "kernels/tap_axes.hpp"

#include "cpu_layers/divide_up.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {
namespace {

void AddTap(std::int64_t kernel_index, std::int64_t offset, TapAxis& axis) {
  const std::int64_t end = std::min(axis.num_positions, DivideUp(axis.input - offset, axis.stride));
  const std::int64_t begin = std::min(end, DivideUp(-offset, axis.stride));
  axis.taps.push_back({kernel_index, offset, {begin, end}});
}

}  // namespace

TapAxis MakeTapAxis(const WindowAxis& axis) {
  TapAxis result;
  result.input = axis.input;
  result.num_positions = axis.output;
  result.stride = axis.stride;
  for (std::int64_t k = 0; k < axis.kernel; ++k) AddTap(k, axis.GetInputIndex(0, k), result);
  return result;
}

std::vector<TapAxis> MakeTapPhases(const WindowAxis& axis) {
  std::vector<TapAxis> phases;
  for (std::int64_t begin = 0; begin < std::min(axis.stride, axis.output); ++begin) {
    TapAxis phase;
    phase.input = axis.input;
    phase.num_positions = DivideUp(axis.output - begin, axis.stride);
    phase.output_begin = begin;
    phase.output_step = axis.stride;
    // Element i of the input adds to output i * stride + k * dilation - pad_begin.
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t distance = begin + axis.pad_begin - k * axis.dilation;
      if (distance % axis.stride == 0) AddTap(k, distance / axis.stride, phase);
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

}  // namespace cpuref
}  // namespace backplane
