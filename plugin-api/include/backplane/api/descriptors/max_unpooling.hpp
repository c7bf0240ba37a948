#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// Entries behind spatial_rank are not read. An index is the number of an element in a tensor
/// [N, C, index_extents...]; the element goes to the same position of the output,
/// [N, C, extents...]. What no index names is 0. An index that names no element of both is passed
/// over, and of several elements for one position the last stays.
struct MaxUnpoolingDescriptor : Descriptor<MaxUnpoolingDescriptor> {
  std::uint32_t spatial_rank = 2;                    // 1 to kMaxSpatialRank
  std::int64_t index_extents[kMaxSpatialRank] = {};  // usually those of the input of the pooling
  std::int64_t extents[kMaxSpatialRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(MaxUnpoolingDescriptor, extents);

}  // namespace backplane
