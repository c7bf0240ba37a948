#include "placement/placed_subgraphs.hpp"

#include "graph/graph.hpp"

#include <algorithm>

namespace backplane {

const char* GetOutcomeName(SubgraphOutcome outcome) {
  switch (outcome) {
    case SubgraphOutcome::kUntouched:
      return "untouched";
    case SubgraphOutcome::kReplaced:
      return "replaced";
    case SubgraphOutcome::kDeleted:
      return "deleted";
    case SubgraphOutcome::kFailed:
      return "failed";
  }
  return "unknown";
}

std::vector<std::string> GetLayerNames(const Placement& placement, const PlacedSubgraph& subgraph) {
  std::vector<std::string> names;
  for (const LayerId id : subgraph.layers) {
    const auto layer =
        std::lower_bound(placement.layers.begin(), placement.layers.end(), id,
                         [](const LayerPlacement& a, LayerId b) { return a.layer < b; });
    const bool is_known = layer != placement.layers.end() && layer->layer == id;
    names.push_back(GetDisplayName(is_known ? layer->name : "", id));
  }
  return names;
}

}  // namespace backplane
