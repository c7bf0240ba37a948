#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// (x - mean) / (sqrt(variance) + epsilon), with the mean and the variance over the axes. Entries
/// behind num_axes are not read; none is there twice.
struct MeanVarianceNormalizationDescriptor : Descriptor<MeanVarianceNormalizationDescriptor> {
  std::uint32_t num_axes = 0;
  std::uint32_t axes[kMaxRank] = {};  // counted from the outermost, which is 0
  float epsilon = 1.0e-9F;            // finite, 0 or more
};
BACKPLANE_CHECK_DESCRIPTOR(MeanVarianceNormalizationDescriptor, epsilon);

}  // namespace backplane
