#pragma once

#include "memory/arena_plan.hpp"
#include "network/graph.hpp"

#include <vector>

namespace backplane {

/// How long each tensor of a graph is needed; one entry for each output of each layer, in the order
/// of the layers. Step 0 writes the inputs of the network, the operators are steps 1, 2, ... in
/// their order, and a last step reads the outputs. Constants lie outside the arena: their size is
/// 0 here.
std::vector<TensorLifetime> ComputeLifetimes(const Graph& graph);

/// For each layer, the entry of its first output above.
std::vector<std::uint32_t> NumberTensors(const Graph& graph);

}  // namespace backplane
