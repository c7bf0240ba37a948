#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/resize.hpp>

#include <cstdint>

namespace backplane {

/// What lies outside of the input. Numbers are never reused.
enum class GridPadding : std::uint32_t {
  kZeros = 1,
  kBorder = 2,      // the element at the border that is nearest, for each neighbour of a place
  kReflection = 3,  // the input mirrored at its borders, as often as needed
};

/// Samples input 0, [N, C, D1, ..., Dk], at the places that input 1, the grid, [N, E1, ..., Ek, k],
/// names. The output is [N, C, E1, ..., Ek]; k is 1 to 3. The k numbers of a place count the
/// innermost axis first and go from -1 to 1. A coordinate that is not a number counts as -1; with
/// kNearest, half way between two elements is the even one.
struct GridSampleDescriptor : Descriptor<GridSampleDescriptor> {
  Interpolation interpolation = Interpolation::kLinear;
  GridPadding padding = GridPadding::kZeros;
  std::uint32_t align_corners = 0;  // -1 and 1 are 1: the middle of the elements at the ends;
                                    // 0: their outer edges
  float cubic_coefficient = -0.75F;
};
BACKPLANE_CHECK_DESCRIPTOR(GridSampleDescriptor, cubic_coefficient);

}  // namespace backplane
