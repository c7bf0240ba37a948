#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// How often the input is repeated along each of its axes; entries behind are not read.
struct TileDescriptor : Descriptor<TileDescriptor> {
  std::uint32_t reserved = 0;
  std::int64_t repeats[kMaxRank] = {1, 1, 1, 1, 1, 1, 1, 1};
};
BACKPLANE_CHECK_DESCRIPTOR(TileDescriptor, repeats);

}  // namespace backplane
