#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The first axes, as many as batch_dims, are common to values and indices. The innermost axis of
/// the indices holds positions along the next axes of the values; what lies there, an element or a
/// slice, is an element or slice of the output. Negative indices count from the end. An index that
/// still lies outside fails the run with InvalidArgumentException.
struct GatherNdDescriptor : Descriptor<GatherNdDescriptor> {
  std::uint32_t batch_dims = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(GatherNdDescriptor, batch_dims);

}  // namespace backplane
