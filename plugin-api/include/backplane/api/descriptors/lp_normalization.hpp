#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// x divided by the norm of the elements along the axis: the sum of their magnitudes for order 1,
/// the square root of the sum of their squares for order 2. Where the norm is 0, the result is 0.
struct LpNormalizationDescriptor : Descriptor<LpNormalizationDescriptor> {
  std::uint32_t axis = 0;   // counted from the outermost, which is 0
  std::uint32_t order = 2;  // 1 or 2
};
BACKPLANE_CHECK_DESCRIPTOR(LpNormalizationDescriptor, order);

}  // namespace backplane
