#pragma once

#include "graph/graph.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// A concat or a split: the whole, and its parts in their order along the axis.
struct Joint {
  OutputSlot whole;
  std::vector<OutputSlot> parts;
  std::uint32_t axis = 0;
  bool is_concat = false;
};

/// Whether a layer only joins tensors or takes one apart.
bool HasParts(const Layer& layer);

/// For a layer that has parts.
Joint MakeJoint(const Layer& layer);

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
