#pragma once

#include "graph/graph.hpp"
#include "placement/network_backend.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/placement.hpp>

#include <functional>
#include <memory>

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

}  // namespace backplane::placement
