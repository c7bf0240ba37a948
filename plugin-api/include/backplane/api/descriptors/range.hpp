#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// start, start + delta, start + 2 * delta and so on: input 0 is the start, input 1 the delta, both
/// scalars.
struct RangeDescriptor : Descriptor<RangeDescriptor> {
  std::uint32_t reserved = 0;
  std::int64_t count = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(RangeDescriptor, count);

}  // namespace backplane
