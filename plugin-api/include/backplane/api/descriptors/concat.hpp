#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

struct ConcatDescriptor : Descriptor<ConcatDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(ConcatDescriptor, axis);

}  // namespace backplane
