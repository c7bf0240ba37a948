#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Each element becomes the sum of those up to it along the axis.
struct CumulativeSumDescriptor : Descriptor<CumulativeSumDescriptor> {
  std::uint32_t axis = 0;       // counted from the outermost, which is 0
  std::uint32_t exclusive = 0;  // 1: without the element itself
  std::uint32_t reverse = 0;    // 1: from the last element on
};
BACKPLANE_CHECK_DESCRIPTOR(CumulativeSumDescriptor, reverse);

}  // namespace backplane
