#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

struct FullyConnectedDescriptor : Descriptor<FullyConnectedDescriptor> {
  std::uint32_t transpose_weights = 0;  // 1: weights are [M, K] instead of [K, M]
};
BACKPLANE_CHECK_DESCRIPTOR(FullyConnectedDescriptor, transpose_weights);

}  // namespace backplane
