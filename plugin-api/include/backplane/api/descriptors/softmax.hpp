#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

struct SoftmaxDescriptor : Descriptor<SoftmaxDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
  float beta = 1.0F;       // factor of the exponents
};
BACKPLANE_CHECK_DESCRIPTOR(SoftmaxDescriptor, beta);

}  // namespace backplane
