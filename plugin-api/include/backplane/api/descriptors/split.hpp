#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// The most parts into which one layer takes a tensor apart.
constexpr std::uint32_t kMaxSplitParts = 64;

/// One output for each part; together they are as long as the input along the axis.
struct SplitDescriptor : Descriptor<SplitDescriptor> {
  std::uint32_t axis = 0;  // counted from the outermost, which is 0
  std::uint32_t num_parts = 0;
  std::uint32_t reserved = 0;
  std::int64_t extents[kMaxSplitParts] = {};  // of each part along the axis
};
BACKPLANE_CHECK_DESCRIPTOR(SplitDescriptor, extents);

}  // namespace backplane
