#pragma once

#include <backplane/runtime/placement.hpp>

#include <string>
#include <vector>

namespace backplane {

/// "untouched", "replaced", "deleted" or "failed". Static storage.
const char* GetOutcomeName(SubgraphOutcome outcome);

/// The names of a sub-graph's layers, for display.
std::vector<std::string> GetLayerNames(const Placement& placement, const PlacedSubgraph& subgraph);

}  // namespace backplane
