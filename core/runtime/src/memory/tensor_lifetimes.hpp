#pragma once

#include "memory/alias_groups.hpp"
#include "memory/arena_plan.hpp"
#include "network/graph.hpp"

#include <vector>

namespace backplane {

/// How long each group of tensors of a graph is needed. Step 0 writes the inputs of the network,
/// the layers that are steps are 1, 2, ... in their order, and a last step reads the outputs.
/// Constants lie outside the arena: their size is 0 here.
std::vector<TensorLifetime> ComputeLifetimes(const Graph& graph, const AliasGroups& groups);

}  // namespace backplane
