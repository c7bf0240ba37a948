#pragma once

#include <backplane/api/descriptors/convolution.hpp>

#include "nodes/node.hpp"

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

/// How padding comes about: as it is stated, none, or as much as the output needs, of which an odd
/// rest goes to the end (upper) or to the beginning (lower).
enum class AutoPad { kNotSet, kValid, kSameUpper, kSameLower };

/// Reads strides, dilations, pads and auto_pad for input 0, [N, C, spatial...].
/// Errors: kInvalidModel for lists of another length, extents below 1, negative pads or a rank
/// below 3; kUnsupportedAttribute for an unknown auto_pad or a rank above 5.
Window ReadWindow(Node& node, const std::vector<std::int64_t>& kernel);

/// The parts of ReadWindow: all but the padding; and the padding that is stated, which is none with
/// an auto_pad.
/// Errors: as ReadWindow.
Window ReadSteps(Node& node, const std::vector<std::int64_t>& kernel);
AutoPad ReadPads(Node& node, Window& window);

/// An attribute with so many integers; when it is absent, all are `default_value`.
/// Errors: kInvalidModel for another number of them.
std::vector<std::int64_t> ReadList(Node& node, const char* name, std::size_t length,
                                   std::int64_t default_value);

/// kInvalidModel unless the value is at least `least` and fits 31 bits. `name` says what it is.
std::uint32_t CheckRange(const Node& node, std::int64_t value, std::int64_t least,
                         const char* name);

/// The spatial extents of a tensor [N, C, spatial...]. Errors: kInvalidModel for rank below 3,
/// kUnsupportedAttribute for rank above 5.
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
