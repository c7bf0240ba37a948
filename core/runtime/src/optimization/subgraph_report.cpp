#include "optimization/subgraph_report.hpp"

#include <utility>

namespace backplane {

void ReportAnswer(const PlacedGraph& placed, const SubgraphAnswer& answer, std::uint32_t turn,
                  std::vector<PlacedSubgraph>& report) {
  const auto add = [&](const SubgraphView& part, SubgraphOutcome outcome) -> PlacedSubgraph& {
    PlacedSubgraph entry;
    entry.backend_id = answer.backend_id;
    entry.turn = turn;
    entry.outcome = outcome;
    for (const LayerId id : part.layers) entry.layers.push_back(placed.layers[id].origin);
    report.push_back(std::move(entry));
    return report.back();
  };
  for (const SubgraphSubstitution& substitution : answer.views.substitutions) {
    PlacedSubgraph& entry = add(substitution.original, SubgraphOutcome::kReplaced);
    for (const LayerId id : substitution.replacement.layers) {
      const Layer& layer = answer.added[id - placed.graph.layers.size()];
      if (IsRunByBackend(layer)) entry.replacements.push_back(layer.name);
    }
  }
  for (const SubgraphView& part : answer.views.untouched) add(part, SubgraphOutcome::kUntouched);
  for (const SubgraphView& part : answer.views.deleted) add(part, SubgraphOutcome::kDeleted);
  for (const SubgraphView& part : answer.views.failed) add(part, SubgraphOutcome::kFailed);
}

}  // namespace backplane
