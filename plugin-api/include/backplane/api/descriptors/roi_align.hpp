#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/pooling.hpp>

#include <cstdint>

namespace backplane {

/// Where the corners of a region lie among the elements. Numbers are never reused.
enum class RoiCoordinates : std::uint32_t {
  kHalfPixel = 1,        // coordinate * spatial_scale - 0.5
  kOutputHalfPixel = 2,  // coordinate * spatial_scale; regions are at least 1 wide and high
};

/// The most samples along an axis of a part whose number follows from the size of the part.
constexpr std::uint32_t kMaxRoiSamples = 65536;

/// Takes regions from input 0, [N, C, H, W]. Input 1, [R, 4], has the corners x1, y1, x2, y2 of
/// each; input 2, [R], the index of its batch. The output is [R, C, output_height, output_width]:
/// each element is the average or the maximum of the linearly interpolated samples in its part of
/// the region. Samples more than 1 outside of the input are 0, and so is the result for a batch
/// that does not exist, a region without samples and one with a corner that is not finite.
struct RoiAlignDescriptor : Descriptor<RoiAlignDescriptor> {
  PoolingMethod method = PoolingMethod::kAverage;  // kAverage or kMax
  RoiCoordinates coordinates = RoiCoordinates::kHalfPixel;
  std::uint32_t output_height = 1;
  std::uint32_t output_width = 1;
  std::uint32_t sampling_ratio = 0;  // samples along each axis of a part; 0: one for each element
                                     // of the input that the part is wide or high, rounded up,
                                     // but at most kMaxRoiSamples
  float spatial_scale = 1.0F;        // from the coordinates of the regions to those of the input
};
BACKPLANE_CHECK_DESCRIPTOR(RoiAlignDescriptor, spatial_scale);

}  // namespace backplane
