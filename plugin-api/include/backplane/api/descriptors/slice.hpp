#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// Element i of the output along an axis is element start + i * step of the input; all of these
/// must exist. Steps are not 0 and may be negative. There is an entry for each axis of the input;
/// those behind are not read.
struct SliceDescriptor : Descriptor<SliceDescriptor> {
  std::uint32_t reserved = 0;
  std::int64_t starts[kMaxRank] = {};
  std::int64_t steps[kMaxRank] = {1, 1, 1, 1, 1, 1, 1, 1};
  std::int64_t extents[kMaxRank] = {};  // of the output
};
BACKPLANE_CHECK_DESCRIPTOR(SliceDescriptor, extents);

}  // namespace backplane
