#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// In which order an axis of channels holds the positions in a block. Numbers are never reused.
enum class DepthOrder : std::uint32_t {
  kBlockFirst = 1,    // [block..., C]: "DCR" of ONNX
  kChannelFirst = 2,  // [C, block...]: "CRD" of ONNX
};

/// [N, C * block^k, spatial...] becomes [N, C, spatial * block...] with k spatial axes, 1 to
/// kMaxSpatialRank.
struct DepthToSpaceDescriptor : Descriptor<DepthToSpaceDescriptor> {
  std::uint32_t block_size = 1;
  DepthOrder order = DepthOrder::kBlockFirst;
};
BACKPLANE_CHECK_DESCRIPTOR(DepthToSpaceDescriptor, order);

}  // namespace backplane
