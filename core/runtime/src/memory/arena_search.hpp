#pragma once

#include "memory/arena_placement.hpp"

namespace backplane {

/// Looks for the placement with the smallest arena, until it is `lower_bound_bytes` large or the
/// work that is allowed for so many lifetimes is done. The work is counted, not timed, so that the
/// same lifetimes give the same placement.
ArenaPlacement SearchPlacement(const std::vector<TensorLifetime>& lifetimes,
                               std::uint64_t lower_bound_bytes);

}  // namespace backplane
