#pragma once

/// What convolution and transposed convolution have in common: positions along the spatial axes of
/// the output that all read the input through the same elements of the kernel, its taps.

#include "cpu_layers/window.hpp"
#include "layer.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

/// One element of the kernel along an axis.
struct Tap {
  std::int64_t kernel_index;
  std::int64_t offset;    // what position 0 reads; outside the input it is padding
  OutputRange positions;  // those that read inside the input
};

/// Positions along one spatial axis.
struct TapAxis {
  std::int64_t input = 1;          // extent of the input
  std::int64_t num_positions = 1;  // 0: none
  std::int64_t stride = 1;         // in the input, from one position to the next
  std::int64_t output_begin = 0;   // where in the output the positions lie
  std::int64_t output_step = 1;
  std::vector<Tap> taps;  // may be empty
};

/// Depth, height and width; borrowed.
using TapAxes = std::array<const TapAxis*, kMaxSpatialRank>;

/// All outputs of a convolution.
TapAxis MakeTapAxis(const WindowAxis& axis);

/// The outputs of a transposed convolution, taken apart by what is left over when they are divided
/// by the stride: each such phase reads through taps of its own, without a stride.
std::vector<TapAxis> MakeTapPhases(const WindowAxis& axis);

}  // namespace cpuref
}  // namespace backplane
