#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/placement.hpp>

#include <vector>

namespace backplane {

/// The layers of a graph that no backend runs, in its order.
std::vector<PlacedEndpoint> CollectEndpoints(const Graph& graph);

/// Every tensor that a layer reads, in the order of the layers and of their inputs.
std::vector<PlacedEdge> CollectEdges(const Graph& graph);

}  // namespace backplane
