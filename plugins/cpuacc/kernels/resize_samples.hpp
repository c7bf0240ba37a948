#pragma once

/// Resizing by tables: which elements of the input an element of the output is made of, in memory
/// order of the output.

#include "cpu_layers/resize_axis.hpp"
#include "kernel_builders/kernel.hpp"
#include "layout/layout_axes.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

constexpr std::uint32_t kMostCubicAxes = 3;

/// What comes from the input along one axis: for each index of the output `num_taps` offsets there,
/// in elements, and weights.
struct SampledAxis {
  std::int64_t extent = 1;
  std::uint32_t num_taps = 1;
  std::vector<std::int64_t> offsets;
  std::vector<float> weights;
};

/// The axes of the output, the outermost first; then a run of neighbours that stay together.
struct ResizeSamples {
  /// The layouts are alike.
  ResizeSamples(const std::vector<cpu_layers::ResizeAxis>& axes, const LayoutAxes& from,
                const LayoutAxes& to);

  std::vector<SampledAxis> outer;
  SampledAxis inner;
  std::int64_t num_rows = 1;  // of `inner`
  std::int64_t run = 1;
};

/// Copies elements of any type.
std::unique_ptr<const Kernel> MakeNearestSamples(ResizeSamples samples, std::size_t element_bytes);

/// Adds up weighted float32. Of 4 neighbours along at most kMostCubicAxes axes.
std::unique_ptr<const Kernel> MakeBlendedSamples(ResizeSamples samples);

}  // namespace cpuacc
}  // namespace backplane
