#include "kernels/window_grid.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace opencl_test {
namespace {

using cpu_layers::CountWholeWindows;
using opencl::MakeWindowGrid;
using opencl::Window;
using opencl::WindowAxis;
using opencl::WindowGrid;

WindowAxis MakeAxis(std::int64_t input, std::int64_t kernel, std::int64_t stride,
                    std::int64_t dilation, std::int64_t padding) {
  WindowAxis axis;
  axis.input = input;
  axis.kernel = kernel;
  axis.stride = stride;
  axis.dilation = dilation;
  axis.pad_begin = padding;
  axis.pad_end = padding;
  axis.output = CountWholeWindows(axis);
  return axis;
}

/// Where an element of a laid-out plane comes from, along an axis.
std::int64_t FindSource(const WindowAxis& axis, std::int64_t place, std::int64_t phase) {
  return place * axis.stride + phase - axis.pad_begin;
}

void ExpectElementsUnderWindows(const Window& window) {
  const WindowGrid grid = MakeWindowGrid(window);
  const std::vector<std::int32_t> taps = GetTapOffsets(window, grid);
  const auto* extents = grid.extents;
  std::size_t tap = 0;
  for (std::int64_t kh = 0; kh < window[1].kernel; ++kh) {
    for (std::int64_t kw = 0; kw < window[2].kernel; ++kw, ++tap) {
      for (std::int64_t h = 0; h < window[1].output; ++h) {
        for (std::int64_t w = 0; w < window[2].output; ++w) {
          std::int64_t at = taps[tap] + h * extents[2] + w;
          ASSERT_LT(at, grid.GetPlaneElements());
          const std::int64_t from_w = at % extents[2];
          const std::int64_t from_h = (at /= extents[2]) % extents[1];
          const std::int64_t phase_w = (at /= extents[1]) % grid.phases[2];
          const std::int64_t phase_h = at / grid.phases[2];
          EXPECT_EQ(FindSource(window[1], from_h, phase_h), window[1].GetInputIndex(h, kh));
          EXPECT_EQ(FindSource(window[2], from_w, phase_w), window[2].GetInputIndex(w, kw));
        }
      }
    }
  }
  EXPECT_EQ(tap, taps.size());
}

TEST(WindowGrid, PutsEveryElementUnderAWindowAtOneOffset) {
  for (std::int64_t stride = 1; stride <= 3; ++stride) {
    for (std::int64_t dilation = 1; dilation <= 3; ++dilation) {
      Window window;
      window[1] = MakeAxis(9, 3, stride, dilation, 1);
      window[2] = MakeAxis(11, 2, dilation, stride, 2);
      ExpectElementsUnderWindows(window);
    }
  }
}

TEST(WindowGrid, HasOnePhaseForKernelsOfOneElement) {
  Window window;
  window[2] = MakeAxis(11, 1, 2, 1, 0);
  const WindowGrid grid = MakeWindowGrid(window);
  EXPECT_EQ(grid.phases[2], 1);
  EXPECT_EQ(grid.extents[2], 6);
}

TEST(WindowGrid, IsNotForFarDilations) {
  Window window;
  window[2] = MakeAxis(3, 2, 1, 400000000, 400000000);
  EXPECT_FALSE(opencl::CanLayOut(window, 1));
  window[2] = MakeAxis(56, 3, 1, 1, 1);
  EXPECT_TRUE(opencl::CanLayOut(window, 64));
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
