#pragma once

#include "optimization/subgraph_answer.hpp"
#include "placement/placed_graph.hpp"

#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// Adds what became of each part of an offered sub-graph, in the ids of the application's network.
/// `placed` is the graph that was offered.
void ReportAnswer(const PlacedGraph& placed, const SubgraphAnswer& answer, std::uint32_t turn,
                  std::vector<PlacedSubgraph>& report);

}  // namespace backplane
