#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// The reverse of SpaceToBatch: [block... * N, C, spatial...] becomes [N, C, spatial * block...],
/// of which crops are taken away. Entries behind spatial_rank are not read.
struct BatchToSpaceDescriptor : Descriptor<BatchToSpaceDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t block[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t crops_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t crops_end[kMaxSpatialRank] = {0, 0, 0};
};
BACKPLANE_CHECK_DESCRIPTOR(BatchToSpaceDescriptor, crops_end);

}  // namespace backplane
