#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Flags are 0 or 1. An element gives true when it is of one of the kinds whose flag is 1.
struct FloatClassificationDescriptor : Descriptor<FloatClassificationDescriptor> {
  std::uint32_t detect_nan = 0;
  std::uint32_t detect_positive_infinity = 0;
  std::uint32_t detect_negative_infinity = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(FloatClassificationDescriptor, detect_negative_infinity);

}  // namespace backplane
