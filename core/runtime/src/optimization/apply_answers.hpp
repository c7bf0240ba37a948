#pragma once

#include "optimization/subgraph_answer.hpp"
#include "placement/placed_graph.hpp"

#include <vector>

namespace backplane {

/// Puts the answers to all sub-graphs of a graph into effect: replaced and deleted layers go,
/// replacement layers come, constants that nobody reads any more go too. The order of the layers
/// changes only where it must; equal input gives an equal graph.
PlacedGraph ApplyAnswers(const PlacedGraph& placed, const std::vector<SubgraphAnswer>& answers);

}  // namespace backplane
