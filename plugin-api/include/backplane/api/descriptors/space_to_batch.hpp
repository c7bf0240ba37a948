#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// [N, C, spatial...], padded with zeros, is taken apart into blocks: the output [block... * N, C,
/// spatial / block...] has the positions in a block outermost. Entries behind spatial_rank are not
/// read.
struct SpaceToBatchDescriptor : Descriptor<SpaceToBatchDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t block[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
};
BACKPLANE_CHECK_DESCRIPTOR(SpaceToBatchDescriptor, pads_end);

}  // namespace backplane
