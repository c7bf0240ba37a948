#pragma once

#include "memory/alias_groups.hpp"
#include "memory/arena_plan.hpp"

#include <vector>

namespace backplane {

/// How long each group of tensors of a network is needed. Step 0 writes the inputs of the network,
/// the layers that are steps are 1, 2, ... in their order, and a last step reads the outputs.
/// Constants lie outside: their size is 0 here. A group is as large as its members are with
/// padding.
std::vector<TensorLifetime> ComputeLifetimes(const BridgedNetwork& network,
                                             const AliasGroups& groups);

}  // namespace backplane
