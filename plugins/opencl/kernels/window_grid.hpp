#pragma once

/// Planes laid out anew so that windows need no bounds: with their padding, and with a plane for
/// each remainder of an index by the stride. The elements under one place of the window are then,
/// for consecutive outputs, consecutive, also from one row to the next.

#include "cpu_layers/window.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl {

using cpu_layers::Window;
using cpu_layers::WindowAxis;

struct WindowGrid {
  /// Of one plane of the input; 64 bits do not overflow for sound windows of few elements only.
  std::int64_t GetPlaneElements() const;
  /// From the first output to behind the last, with what lies between rows.
  std::int64_t GetNumColumns() const;

  std::int64_t phases[3] = {1, 1, 1};   // remainders that windows meet
  std::int64_t extents[3] = {1, 1, 1};  // of each phase
  std::int64_t outputs[3] = {1, 1, 1};
};

/// Elements that may be read behind the last column.
constexpr std::int64_t kGridSlack = 128;

WindowGrid MakeWindowGrid(const Window& window);

/// Whether planes are small enough to be laid out.
bool CanLayOut(const Window& window, std::int64_t num_planes);

/// For each place of the window, in order, where the element for the first output is.
std::vector<std::int32_t> GetTapOffsets(const Window& window, const WindowGrid& grid);

}  // namespace opencl
}  // namespace backplane
