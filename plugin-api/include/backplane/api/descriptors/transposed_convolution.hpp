#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// The gradient of a convolution with regard to its input: each element of the input adds the
/// weights, times itself, to a window of the output. Entries behind spatial_rank are not read. The
/// padding is cut off the output, and output_padding is added behind it:
/// (input - 1) * stride + (kernel - 1) * dilation + 1 - pads_begin - pads_end + output_padding.
struct TransposedConvolutionDescriptor : Descriptor<TransposedConvolutionDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t strides[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t dilations[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t output_padding[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t groups = 1;
};
BACKPLANE_CHECK_DESCRIPTOR(TransposedConvolutionDescriptor, groups);

}  // namespace backplane
