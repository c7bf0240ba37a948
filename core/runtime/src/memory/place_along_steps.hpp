#pragma once

#include "memory/arena_placement.hpp"

namespace backplane {

/// From which end of the run lifetimes are met.
enum class StepDirection { kForward, kBackward };

/// Places lifetimes as an allocator would that sees one step after the other: what begins takes the
/// smallest free range, what ends gives it back. n log n, however many are alive at once.
ArenaPlacement PlaceAlongSteps(const std::vector<TensorLifetime>& lifetimes,
                               StepDirection direction);

}  // namespace backplane
