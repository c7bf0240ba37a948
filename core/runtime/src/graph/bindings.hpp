#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/network_source.hpp>

#include <vector>

namespace backplane {

/// The inputs of a graph, as the application sees them.
std::vector<NetworkBinding> GetInputBindings(const Graph& graph);

/// The outputs of a graph, as the application sees them.
std::vector<NetworkBinding> GetOutputBindings(const Graph& graph);

/// Without the names of open extents.
std::vector<NetworkBinding> ToNetworkBindings(const std::vector<OpenBinding>& open);

/// With extents that are all known.
std::vector<OpenBinding> ToOpenBindings(const std::vector<NetworkBinding>& fixed);

}  // namespace backplane
