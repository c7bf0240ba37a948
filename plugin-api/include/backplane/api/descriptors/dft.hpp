#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Discrete Fourier transform along one axis. The last axis of the input holds numbers: extent 1,
/// real, or 2, real and imaginary part; that of the output has extent 2.
struct DftDescriptor : Descriptor<DftDescriptor> {
  std::uint32_t axis = 0;          // counted from the outermost, which is 0; not the last
  std::uint32_t is_inverse = 0;    // 1: with the other sign of the exponent, divided by the length
  std::uint32_t is_one_sided = 0;  // 1: only the first length / 2 + 1 results; not with is_inverse
  std::int64_t length = 0;  // to which the axis is cut off or filled with zeros; 0: its extent
};
BACKPLANE_CHECK_DESCRIPTOR(DftDescriptor, length);

}  // namespace backplane
