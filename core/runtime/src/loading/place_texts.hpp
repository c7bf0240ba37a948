#pragma once

#include "execution/execution_plan.hpp"
#include "graph/graph.hpp"
#include "loading/loaded_backend.hpp"
#include "placement/kind_table.hpp"

#include <backplane/host/thread_places.hpp>

#include <vector>

namespace backplane {

/// The words of crash notes for where runs of a network can be: which layer on which backend, and
/// whose memory is mapped.
NetworkPlaceTexts MakePlaceTexts(const Graph& graph, const ExecutionPlan& plan,
                                 const std::vector<LoadedBackend>& backends,
                                 const KindTable& table);

}  // namespace backplane
