#pragma once

#include <backplane/api/descriptors/convolution.hpp>

#include "graph/node.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// How a kernel moves over the spatial axes, as convolution and pooling of ONNX state it.
struct Window {
  std::uint32_t spatial_rank = 0;
  std::uint32_t kernel[kMaxSpatialRank] = {};
  std::uint32_t strides[kMaxSpatialRank] = {};
  std::uint32_t dilations[kMaxSpatialRank] = {};
  std::uint32_t pads_begin[kMaxSpatialRank] = {};
  std::uint32_t pads_end[kMaxSpatialRank] = {};
};

/// Reads strides, dilations, pads and auto_pad for input 0, [N, C, spatial...].
/// Errors: kInvalidModel for lists of another length, extents below 1, negative pads or a rank
/// outside 3 to 5; kUnsupportedAttribute for an unknown auto_pad.
Window ReadWindow(Node& node, const std::vector<std::int64_t>& kernel);

/// The spatial extents of a tensor [N, C, spatial...]. Errors: kInvalidModel for rank below 3.
std::vector<std::int64_t> GetSpatialExtents(const Node& node, const TensorShape& shape);

/// Copies what ConvolutionDescriptor and PoolingDescriptor have in common.
template <typename Descriptor>
void CopyWindow(const Window& window, Descriptor& descriptor) {
  descriptor.spatial_rank = window.spatial_rank;
  std::copy_n(window.strides, kMaxSpatialRank, descriptor.strides);
  std::copy_n(window.dilations, kMaxSpatialRank, descriptor.dilations);
  std::copy_n(window.pads_begin, kMaxSpatialRank, descriptor.pads_begin);
  std::copy_n(window.pads_end, kMaxSpatialRank, descriptor.pads_end);
}

}  // namespace backplane::onnx
