#pragma once

#include "graph/graph.hpp"
#include "placement/network_backend.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/placement.hpp>

#include <functional>
#include <memory>
#include <string>

namespace backplane::placement {

/// Gets what goes wrong: kCompiledEntryRefused and kCompiledCacheUnusable.
using Report = std::function<void(const Diagnostic&)>;

/// What a backend keeps of one sub-graph. What the sub-graph is is digested when the backend first
/// asks. `use` counts what it asks for, and how long that takes.
/// Ownership: graph, sub-graph, backend and `use` are borrowed as long as the object lives.
/// Null: gives null without `cache`. Without `report`, what goes wrong is logged.
std::unique_ptr<ICompiledSubgraphCache> MakeSubgraphCache(
    const Graph& graph, const SubgraphView& subgraph, const NetworkBackend& backend,
    std::shared_ptr<ICompiledNetworkCache> cache, PlacedCacheUse& use, Report report = {});

/// A digest of all that a backend's compilation of a sub-graph can depend on, but for what only the
/// backend knows: the backend and its build, the Backend API, the options of the network for it,
/// the layers, how they are connected, their tensors and the content of constants. Names of layers
/// do not matter.
/// Errors: "" when it cannot be told: the file of the backend is no longer the one that was loaded,
/// or a layer is compiled already.
std::string ComputeFingerprint(const Graph& graph, const SubgraphView& subgraph,
                               const NetworkBackend& backend);

}  // namespace backplane::placement
