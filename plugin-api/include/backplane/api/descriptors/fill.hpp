#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// The shape of the output.
struct FillDescriptor : Descriptor<FillDescriptor> {
  std::uint32_t rank = 0;
  std::int64_t dims[kMaxRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(FillDescriptor, dims);

}  // namespace backplane
