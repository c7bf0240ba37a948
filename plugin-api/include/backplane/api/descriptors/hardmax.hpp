#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// 1 at the first of the greatest elements along the axis, 0 elsewhere. NaN counts as greatest.
struct HardmaxDescriptor : Descriptor<HardmaxDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(HardmaxDescriptor, axis);

}  // namespace backplane
