#pragma once

#include "network/graph.hpp"

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

}  // namespace backplane
