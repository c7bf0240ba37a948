#pragma once

#include "graph/graph.hpp"
#include "placement/network_backend.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <string>

namespace backplane::placement {

/// A digest of all that a backend's compilation of a sub-graph can depend on, but for what only the
/// backend knows: the backend and its build, the Backend API, the options of the network for it,
/// the layers, how they are connected, their tensors and the content of constants. Names of layers
/// do not matter.
/// Errors: "" when it cannot be told: the file of the backend is no longer the one that was loaded,
/// or a layer is compiled already.
std::string ComputeFingerprint(const Graph& graph, const SubgraphView& subgraph,
                               const NetworkBackend& backend);

}  // namespace backplane::placement
