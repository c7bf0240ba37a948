#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Reverses the first elements along time_axis, as many as the length (input 1) of their index
/// along batch_axis says; the rest stays. Lengths below 0 count as 0, those beyond the extent as
/// the extent.
struct ReverseSequenceDescriptor : Descriptor<ReverseSequenceDescriptor> {
  std::uint32_t batch_axis = 0;  // counted from the outermost, which is 0
  std::uint32_t time_axis = 1;
};
BACKPLANE_CHECK_DESCRIPTOR(ReverseSequenceDescriptor, time_axis);

}  // namespace backplane
