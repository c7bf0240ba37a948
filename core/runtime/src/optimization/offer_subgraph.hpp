#pragma once

#include "assignment/network_backend.hpp"
#include "optimization/subgraph_answer.hpp"
#include "partition/subgraph_borders.hpp"

#include <backplane/host/diagnostic.hpp>

#include <vector>

namespace backplane {

/// Offers a sub-graph to its backend and checks the answer. When the backend throws, or its answer
/// cannot be applied, everything stays untouched and a warning is added.
SubgraphAnswer OfferSubgraph(const NetworkBackend& backend, const Graph& graph,
                             const SubgraphBorders& borders, const SubgraphView& subgraph,
                             std::vector<Diagnostic>& warnings);

}  // namespace backplane
