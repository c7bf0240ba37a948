#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The output has the axes of the indices in place of the axis. Negative indices count from the
/// end. An index that still lies outside fails the run with InvalidArgumentException.
struct GatherDescriptor : Descriptor<GatherDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(GatherDescriptor, axis);

}  // namespace backplane
