#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// What cutting an image [N, C, extents...] into windows and multiplying them needs on the way
/// back. The input is [N, C * elements of a window, windows]: along axis 1 the channel runs
/// slowest, then the elements of the window in row-major order; along axis 2 lie all whole windows,
/// in row-major order of their positions. Each element is added to the output, [N, C, extents...],
/// where its window had it; what lies in the padding is left out. Entries behind spatial_rank are
/// not read.
struct FoldWindowsDescriptor : Descriptor<FoldWindowsDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t kernel[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t strides[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t dilations[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t reserved = 0;
  std::int64_t extents[kMaxSpatialRank] = {1, 1, 1};
};
BACKPLANE_CHECK_DESCRIPTOR(FoldWindowsDescriptor, extents);

}  // namespace backplane
