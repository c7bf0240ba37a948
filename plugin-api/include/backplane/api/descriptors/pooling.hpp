#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class PoolingMethod : std::uint32_t {
  kMax = 1,
  kAverage = 2,
  kLp = 3,  // (sum |x|^p)^(1/p)
};

/// How an extent that the stride does not divide is rounded.
enum class OutputRounding : std::uint32_t {
  kFloor = 1,
  kCeiling = 2,
};

/// Whether padded elements count in the divisor of an average. They never count in a maximum, and
/// add nothing to an Lp norm. An average over padding only is 0, also with the divisor of kExclude.
enum class PaddingInAverage : std::uint32_t {
  kExclude = 1,
  kInclude = 2,
};

/// Entries behind spatial_rank are not read. With kCeiling, a window that would begin behind the
/// input and the padding before it, that is in the padding after it or beyond, is left out. The
/// divisor of an average never counts what lies beyond the padding.
struct PoolingDescriptor : Descriptor<PoolingDescriptor> {
  PoolingMethod method = PoolingMethod::kMax;
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t kernel[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t strides[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t dilations[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
  OutputRounding rounding = OutputRounding::kFloor;
  PaddingInAverage padding_in_average = PaddingInAverage::kExclude;
  float p = 2.0F;  // of kLp; greater than 0
};
BACKPLANE_CHECK_DESCRIPTOR(PoolingDescriptor, p);

}  // namespace backplane
