#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The output has the shape of the indices. Along the axis its elements come from where the index
/// says, along all others from their own place. Negative indices count from the end. An index that
/// still lies outside fails the run with InvalidArgumentException.
struct GatherElementsDescriptor : Descriptor<GatherElementsDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(GatherElementsDescriptor, axis);

}  // namespace backplane
