#pragma once

#include "memory/arena_plan.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Offsets in a block for lifetimes whose sizes are aligned already and not 0.
struct ArenaPlacement {
  std::vector<std::uint64_t> offsets;
  std::uint64_t arena_bytes = 0;
};

/// Indices of lifetimes.
using PlacementOrder = std::vector<std::uint32_t>;

inline bool AreAliveAtOnce(const TensorLifetime& a, const TensorLifetime& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

}  // namespace backplane
