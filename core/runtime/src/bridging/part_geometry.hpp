#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// Where a tensor lies in a dense one of the same rank.
struct PartGeometry {
  std::vector<std::int64_t> origin;  // one index for each axis
  std::uint64_t offset_bytes = 0;
  bool is_contiguous = false;
};

/// The place of a part that begins at `begin` along an axis and is whole along the others.
PartGeometry FindGeometry(const TensorInfo& whole, const TensorInfo& part, std::uint32_t axis,
                          std::int64_t begin);

}  // namespace backplane
