#pragma once

#include "network/graph.hpp"

#include <backplane/runtime/i_network.hpp>

#include <vector>

namespace backplane {

/// The inputs of a graph, as the application sees them.
std::vector<NetworkBinding> GetInputBindings(const Graph& graph);

/// The outputs of a graph, as the application sees them.
std::vector<NetworkBinding> GetOutputBindings(const Graph& graph);

}  // namespace backplane
