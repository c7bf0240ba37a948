#pragma once

#include "bridging/bridged_network.hpp"
#include "bridging/plan_groups.hpp"

#include <vector>

namespace backplane {

/// What the report of transfers is written from.
struct BridgeRecord {
  ViewGroups groups;                  // of the graph before
  std::vector<PlannedGroup> planned;  // for each group
};

struct BridgeResult {
  BridgedNetwork network;
  BridgeRecord record;
};

/// Gives every tensor of a graph a kind of memory, and puts Copy and Import layers where it gets
/// from one to another. No layer is a part yet; see JoinParts.
/// Errors: DiagnosticException as PlanGroups.
BridgeResult BridgeNetwork(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                           const NetworkKinds& kinds, MemoryProtection protection,
                           const std::vector<std::string>& backend_ids);

}  // namespace backplane
