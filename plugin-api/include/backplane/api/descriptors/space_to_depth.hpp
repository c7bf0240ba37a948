#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/depth_to_space.hpp>

#include <cstdint>

namespace backplane {

/// [N, C, spatial * block...] becomes [N, C * block^k, spatial...] with k spatial axes, 1 to
/// kMaxSpatialRank.
struct SpaceToDepthDescriptor : Descriptor<SpaceToDepthDescriptor> {
  std::uint32_t block_size = 1;
  DepthOrder order = DepthOrder::kBlockFirst;
};
BACKPLANE_CHECK_DESCRIPTOR(SpaceToDepthDescriptor, order);

}  // namespace backplane
