#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// The shape of the output. The input broadcasts to it: aligned at the innermost axis, its extents
/// are those of the output, or 1, or missing.
struct ExpandDescriptor : Descriptor<ExpandDescriptor> {
  std::uint32_t rank = 0;
  std::int64_t dims[kMaxRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(ExpandDescriptor, dims);

}  // namespace backplane
