#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// As batch normalization, with the mean and the variance of each group of each batch entry. Groups
/// are neighbouring channels, equally many in each.
struct GroupNormalizationDescriptor : Descriptor<GroupNormalizationDescriptor> {
  std::uint32_t num_groups = 1;  // divides the channels
  float epsilon = 1.0e-5F;       // added to the variance; finite, 0 or more
};
BACKPLANE_CHECK_DESCRIPTOR(GroupNormalizationDescriptor, epsilon);

}  // namespace backplane
