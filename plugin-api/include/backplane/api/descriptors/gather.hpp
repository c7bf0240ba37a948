#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The output has the axes of the indices in place of the axis. Negative indices count from the
/// end; one that still lies outside stands for the nearest that exists.
struct GatherDescriptor : Descriptor<GatherDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(GatherDescriptor, axis);

}  // namespace backplane
