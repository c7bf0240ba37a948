#pragma once

#include "graph/bridged_network.hpp"
#include "placement/plan_groups.hpp"

#include <backplane/runtime/placement.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace backplane {

/// What the report of transfers is written from.
struct BridgeRecord {
  ViewGroups groups;                   // of the graph before
  std::vector<PlannedGroup> planned;   // for each group
  std::map<LayerId, LayerId> new_ids;  // of layers of the graph before that are in the new one
  std::set<LayerId> joined;            // concats and splits whose tensors got one kind for that
};

/// Whether concats and splits take part in the choice, so that their parts can lie in the whole.
struct JointChoice {
  bool is_made = false;
  std::set<LayerId> apart;  // but for these layers
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
                           const std::vector<std::string>& backend_ids,
                           const JointChoice& choice = {});

/// Makes that choice, and joins what can be joined. A layer for whose parts a kind was chosen, and
/// which cannot be joined after all, is left out of the choice; when that comes to no end, all are.
/// `moves` gets what JoinParts returns.
/// Errors: the same; as JoinParts.
BridgeResult BridgeAndJoin(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                           const NetworkKinds& kinds, MemoryProtection protection,
                           const std::vector<std::string>& backend_ids,
                           std::vector<PlacedMove>& moves);

}  // namespace backplane
