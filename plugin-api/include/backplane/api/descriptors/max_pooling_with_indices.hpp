#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/descriptors/pooling.hpp>

#include <cstdint>

namespace backplane {

/// How the spatial positions of one channel are numbered. Numbers are never reused.
enum class IndexOrder : std::uint32_t {
  kRowMajor = 1,     // the innermost axis runs fastest, as elements lie in memory
  kColumnMajor = 2,  // the outermost spatial axis runs fastest
};

/// As PoolingDescriptor has them. The second output says where each maximum lies: the number of the
/// element in the whole input, which has the channels of all images one behind the other. Of equal
/// maxima the first in memory counts, and NaN counts as the greatest.
struct MaxPoolingWithIndicesDescriptor : Descriptor<MaxPoolingWithIndicesDescriptor> {
  std::uint32_t spatial_rank = 2;  // 1 to kMaxSpatialRank
  std::uint32_t kernel[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t strides[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t dilations[kMaxSpatialRank] = {1, 1, 1};
  std::uint32_t pads_begin[kMaxSpatialRank] = {0, 0, 0};
  std::uint32_t pads_end[kMaxSpatialRank] = {0, 0, 0};
  OutputRounding rounding = OutputRounding::kFloor;
  IndexOrder index_order = IndexOrder::kRowMajor;
};
BACKPLANE_CHECK_DESCRIPTOR(MaxPoolingWithIndicesDescriptor, index_order);

}  // namespace backplane
