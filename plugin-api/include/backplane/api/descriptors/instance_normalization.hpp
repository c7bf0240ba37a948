#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// As batch normalization, with the mean and the variance of each channel of each batch entry,
/// which is divided by the number of its elements.
struct InstanceNormalizationDescriptor : Descriptor<InstanceNormalizationDescriptor> {
  float epsilon = 1.0e-5F;  // added to the variance; finite, 0 or more
};
BACKPLANE_CHECK_DESCRIPTOR(InstanceNormalizationDescriptor, epsilon);

}  // namespace backplane
