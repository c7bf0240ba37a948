#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// What stands in the padding. Numbers are never reused.
enum class PaddingMode : std::uint32_t {
  kConstant = 1,  // one value: input 1, or 0 without it
  kReflect = 2,   // the input mirrored at its first and last element, which are not repeated
  kEdge = 3,      // the nearest element of the input
};

/// Elements added before and after the input along each axis. Negative numbers take elements away
/// instead; that comes first, and what is left is padded. There is an entry for each axis of the
/// input; those behind are not read.
struct PadDescriptor : Descriptor<PadDescriptor> {
  PaddingMode mode = PaddingMode::kConstant;
  std::int64_t pads_begin[kMaxRank] = {};
  std::int64_t pads_end[kMaxRank] = {};
};
BACKPLANE_CHECK_DESCRIPTOR(PadDescriptor, pads_end);

}  // namespace backplane
