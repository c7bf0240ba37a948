#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The most spatial axes that convolution and pooling have.
constexpr std::uint32_t kMaxSpatialRank = 3;

/// Entries behind spatial_rank are not read. Padding is filled with zeros.
struct ConvolutionDescriptor : Descriptor<ConvolutionDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t strides[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t dilations[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t groups = 1;
};
BACKPLANE_CHECK_DESCRIPTOR(ConvolutionDescriptor, groups);

}  // namespace backplane
