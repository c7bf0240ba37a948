#include "kernels/window_grid.hpp"

#include <algorithm>
#include <limits>

namespace backplane {
namespace opencl {

std::int64_t WindowGrid::GetPlaneElements() const {
  std::int64_t elements = 1;
  for (int i = 0; i < 3; ++i) elements *= phases[i] * extents[i];
  return elements;
}

std::int64_t WindowGrid::GetNumColumns() const {
  return ((outputs[0] - 1) * extents[1] + outputs[1] - 1) * extents[2] + outputs[2];
}

WindowGrid MakeWindowGrid(const Window& window) {
  WindowGrid grid;
  for (std::size_t i = 0; i < 3; ++i) {
    const WindowAxis& axis = window[i];
    grid.outputs[i] = axis.output;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      grid.phases[i] = std::max(grid.phases[i], k * axis.dilation % axis.stride + 1);
    }
    grid.extents[i] = axis.output + (axis.kernel - 1) * axis.dilation / axis.stride;
  }
  return grid;
}

bool CanLayOut(const Window& window, std::int64_t num_planes) {
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max() / 4;
  std::int64_t elements = std::max<std::int64_t>(num_planes, 1);
  std::int64_t useful = elements;
  for (const WindowAxis& axis : window) {
    // Kernels of many elements are slow to plan, and strides far apart leave little of the input.
    if (axis.kernel > 4096 || axis.stride > 4096) return false;
    useful *= std::max<std::int64_t>(std::max(axis.input, axis.output), 1);
    if (useful > kMostElements) return false;
  }
  const WindowGrid grid = MakeWindowGrid(window);
  for (int i = 0; i < 3; ++i) {
    elements *= grid.phases[i];
    if (elements > kMostElements || grid.extents[i] > kMostElements) return false;
    elements *= grid.extents[i];
    if (elements > kMostElements) return false;
  }
  return elements <= 65536 || elements / 16 <= useful;
}

std::vector<std::int32_t> GetTapOffsets(const Window& window, const WindowGrid& grid) {
  const std::int64_t phase_elements = grid.extents[0] * grid.extents[1] * grid.extents[2];
  std::vector<std::int32_t> offsets;
  for (std::int64_t d = 0; d < window[0].kernel; ++d) {
    for (std::int64_t h = 0; h < window[1].kernel; ++h) {
      for (std::int64_t w = 0; w < window[2].kernel; ++w) {
        const std::int64_t taps[3] = {d, h, w};
        std::int64_t phase = 0;
        std::int64_t place = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const std::int64_t reach = taps[i] * window[i].dilation;
          phase = phase * grid.phases[i] + reach % window[i].stride;
          place = place * grid.extents[i] + reach / window[i].stride;
        }
        offsets.push_back(static_cast<std::int32_t>(phase * phase_elements + place));
      }
    }
  }
  return offsets;
}

}  // namespace opencl
}  // namespace backplane
