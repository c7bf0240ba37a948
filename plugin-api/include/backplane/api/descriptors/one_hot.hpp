#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The output has the axes of the indices and one more of extent `depth`, which becomes its axis
/// number `axis`. Indices are cut off to integers; negative ones count from the end, and one that
/// still lies outside sets nothing.
struct OneHotDescriptor : Descriptor<OneHotDescriptor> {
  std::uint32_t axis = 0;  // of the output, counted from the outermost, which is 0
  std::int64_t depth = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(OneHotDescriptor, depth);

}  // namespace backplane
