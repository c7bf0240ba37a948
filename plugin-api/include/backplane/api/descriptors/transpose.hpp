#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// Axis i of the output is axis permutation[i] of the input. There is an entry for each axis; those
/// behind are not read.
struct TransposeDescriptor : Descriptor<TransposeDescriptor> {
  std::uint32_t permutation[kMaxRank] = {0, 1, 2, 3, 4, 5, 6, 7};
};
BACKPLANE_CHECK_DESCRIPTOR(TransposeDescriptor, permutation);

}  // namespace backplane
