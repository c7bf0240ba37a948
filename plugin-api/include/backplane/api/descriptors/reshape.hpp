#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// The wanted shape; its number of elements is that of the input.
struct ReshapeDescriptor : Descriptor<ReshapeDescriptor> {
  std::uint32_t rank = 0;
  std::int64_t dims[kMaxRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(ReshapeDescriptor, dims);

}  // namespace backplane
