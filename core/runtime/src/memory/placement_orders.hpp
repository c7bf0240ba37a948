#pragma once

#include "memory/arena_plan.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Indices of lifetimes.
using PlacementOrder = std::vector<std::uint32_t>;

/// As they begin; ties are broken by index.
PlacementOrder OrderByFirstStep(const std::vector<TensorLifetime>& lifetimes);

/// Orders that are worth trying: by size, by length of life, by their product, by the most that is
/// alive beside them, and as they begin. Ties are broken by the step that begins, then by index.
std::vector<PlacementOrder> MakePlacementOrders(const std::vector<TensorLifetime>& lifetimes);

/// For each step, the sum of the sizes alive in it.
std::vector<std::uint64_t> SumAlive(const std::vector<TensorLifetime>& lifetimes);

}  // namespace backplane
