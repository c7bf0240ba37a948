#pragma once

#include "placement/bridge_network.hpp"
#include "placement/placed_graph.hpp"

#include <backplane/runtime/placement.hpp>

#include <string>
#include <vector>

namespace backplane {

/// Writes what crosses between backends, and how, into a placement. `placed` is the graph before
/// it was bridged.
void ReportTransfers(const PlacedGraph& placed, const BridgeRecord& record, const KindTable& table,
                     const std::vector<std::string>& backend_ids, Placement& placement);

/// Appends the placement of a stage to that of the whole network. Its layers get ids after those
/// that are there.
void JoinPlacement(Placement stage, Placement& all);

}  // namespace backplane
