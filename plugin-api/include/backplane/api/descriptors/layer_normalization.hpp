#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// What is behind the axes before `axis` is normalized together: scale * (x - mean) *
/// inverse_deviation + bias, where inverse_deviation is 1 / sqrt(variance + epsilon).
struct LayerNormalizationDescriptor : Descriptor<LayerNormalizationDescriptor> {
  std::uint32_t axis = 0;         // counted from the outermost, which is 0
  float epsilon = 1.0e-5F;        // finite, 0 or more
  std::uint32_t num_outputs = 1;  // 1 to 3: the result, the mean, the inverse deviation
};
BACKPLANE_CHECK_DESCRIPTOR(LayerNormalizationDescriptor, num_outputs);

}  // namespace backplane
