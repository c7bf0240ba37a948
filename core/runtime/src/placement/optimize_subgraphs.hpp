#pragma once

#include "placement/constant_releases.hpp"
#include "placement/placed_graph.hpp"
#include "placement/subgraph_answer.hpp"
#include "placement/subgraph_borders.hpp"

#include <backplane/runtime/placement.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// What the turns of optimisation need from outside.
struct SubgraphOptimizer {
  /// Offers a sub-graph to its backend; the answer is checked.
  std::function<SubgraphAnswer(const std::string& backend_id, const Graph& graph,
                               const SubgraphBorders& borders, const SubgraphView& subgraph,
                               ConstantReleases& releases)>
      offer;
  /// Whether the backend takes a network as a whole or not at all.
  std::function<bool(const std::string& backend_id)> takes_whole_only;
  /// Finds another backend for a layer of the application's network that `backend_id` failed; ""
  /// when there is none.
  std::function<std::string(LayerId origin, const std::string& backend_id)> reassign;
};

/// What came of the turns.
struct OptimizationOutcome {
  PlacedGraph placed;
  std::vector<PlacedSubgraph> subgraphs;  // in the order in which they were offered
  /// A backend that takes only whole networks and failed a part: it is to be left out, and nothing
  /// of this outcome used.
  std::optional<std::string> withdrawn;
  bool is_complete = true;  // false: some layer is left that nobody takes
};

/// Offers the sub-graphs to their backends, applies the answers, gives failed layers to others and
/// offers again the sub-graphs to which layers have come, until nothing fails any more.
/// Errors: DiagnosticException with kConstantReleased.
OptimizationOutcome OptimizeSubgraphs(PlacedGraph placed, const SubgraphOptimizer& optimizer);

}  // namespace backplane
