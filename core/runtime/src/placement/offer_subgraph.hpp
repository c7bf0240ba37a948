#pragma once

#include "placement/constant_releases.hpp"
#include "placement/network_backend.hpp"
#include "placement/subgraph_answer.hpp"
#include "placement/subgraph_borders.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/placement.hpp>

#include <memory>
#include <string>

namespace backplane {

/// The process of a backend ended when it was offered a sub-graph. What it had made for the network
/// is gone.
struct ProcessLost {
  std::string backend_id;
  Diagnostic warning;
};

/// Offers a sub-graph to its backend and checks the answer. When the backend throws, or its answer
/// cannot be applied, everything stays untouched and a warning is added. So it is for what goes
/// wrong with what was compiled earlier. Constants that it lets go of may go at once, also from
/// `graph`. `is_open`: what is compiled may be resized. `placement` gets the warnings, and what was
/// had of the cache.
/// Null: without `compiled`, nothing is kept.
/// Errors: ProcessLost; DiagnosticException with kRunTimedOut, when a run that waits is over.
SubgraphAnswer OfferSubgraph(const NetworkBackend& backend, const Graph& graph,
                             const SubgraphBorders& borders, const SubgraphView& subgraph,
                             ConstantReleases& releases,
                             const std::shared_ptr<ICompiledNetworkCache>& compiled, bool is_open,
                             Placement& placement);

}  // namespace backplane
