#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// x / (bias + alpha / size * sum)^beta, where `sum` is that of the squares of the elements of the
/// neighbouring channels: (size - 1) / 2 of them before, rounded down, and size / 2 behind, as far
/// as there are any. The factors are finite.
struct LocalResponseNormalizationDescriptor : Descriptor<LocalResponseNormalizationDescriptor> {
  std::uint32_t axis = 1;  // of the channels; counted from the outermost, which is 0
  std::uint32_t size = 1;  // 1 or more
  float alpha = 1.0e-4F;
  float beta = 0.75F;
  float bias = 1.0F;
};
BACKPLANE_CHECK_DESCRIPTOR(LocalResponseNormalizationDescriptor, bias);

}  // namespace backplane
