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

/// Looks for the placement with the smallest arena, until it is `lower_bound_bytes` large or the
/// work that is allowed for so many lifetimes is done. The work is counted, not timed, so that the
/// same lifetimes give the same placement.
ArenaPlacement SearchPlacement(const std::vector<TensorLifetime>& lifetimes,
                               std::uint64_t lower_bound_bytes);

}  // namespace backplane
