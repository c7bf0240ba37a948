#pragma once

#include "cpu_layers/window.hpp"
#include "layer.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

/// Calls visit(element of a plane of the input) for each element that lies under the window of an
/// output, in the order in which they lie in memory.
template <typename Visit>
void VisitElementsUnder(const Window& window, std::int64_t depth, std::int64_t height,
                        std::int64_t width, Visit&& visit) {
  const WindowAxis& columns = window[2];
  VisitInputRows(window, depth, height, [&](std::int64_t /*kernel_row*/, std::int64_t row) {
    for (std::int64_t k = 0; k < columns.kernel; ++k) {
      const std::int64_t column = columns.GetInputIndex(width, k);
      if (columns.IsInside(column)) visit(row * columns.input + column);
    }
  });
}

/// Calls visit(first element of a plane of the input, depth, height, width) for each output of so
/// many planes, in order.
template <typename Visit>
void VisitOutputs(const Window& window, std::int64_t num_planes, Visit&& visit) {
  const std::int64_t plane_elements = window[0].input * window[1].input * window[2].input;
  for (std::int64_t plane = 0; plane < num_planes; ++plane) {
    for (std::int64_t depth = 0; depth < window[0].output; ++depth) {
      for (std::int64_t height = 0; height < window[1].output; ++height) {
        for (std::int64_t width = 0; width < window[2].output; ++width) {
          visit(plane * plane_elements, depth, height, width);
        }
      }
    }
  }
}

}  // namespace reference
}  // namespace backplane
