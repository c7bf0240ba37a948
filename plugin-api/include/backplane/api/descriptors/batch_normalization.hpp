#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// scale * (x - mean) / sqrt(variance + epsilon) + bias, each with the entry of its channel.
struct BatchNormalizationDescriptor : Descriptor<BatchNormalizationDescriptor> {
  std::uint32_t axis = 1;   // of the channels; counted from the outermost, which is 0
  float epsilon = 1.0e-5F;  // finite, 0 or more
};
BACKPLANE_CHECK_DESCRIPTOR(BatchNormalizationDescriptor, epsilon);

}  // namespace backplane
