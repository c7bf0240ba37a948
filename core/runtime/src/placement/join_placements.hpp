#pragma once

#include <backplane/runtime/placement.hpp>

namespace backplane {

/// Appends the placement of a stage to that of the whole network. Its layers get ids after those
/// that are there.
void JoinPlacement(Placement stage, Placement& all);

}  // namespace backplane
