#pragma once

#include "placement/subgraph_answer.hpp"
#include "placement/subgraph_borders.hpp"

#include <string>
#include <vector>

namespace backplane {

/// What is wrong with an answer, one sentence each; empty when it can be applied. Checks that every
/// layer of the sub-graph is covered exactly once, that the slots of each part are those that enter
/// and leave it, that replacements fit into their place, and that nothing then needs its own
/// result.
std::vector<std::string> FindProblems(const Graph& graph, const SubgraphBorders& borders,
                                      const SubgraphAnswer& answer);

}  // namespace backplane
