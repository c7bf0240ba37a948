#pragma once

#include "graph/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <string>
#include <vector>

namespace backplane {

/// What a backend made of a sub-graph, checked.
struct SubgraphAnswer {
  std::string backend_id;
  SubgraphView subgraph;
  OptimizationViews views;
  std::vector<Layer> added;  // replacement layers and constants; ids follow those of the graph
};

/// The answer of a backend that leaves everything as it is.
inline SubgraphAnswer MakeUntouchedAnswer(const std::string& backend_id,
                                          const SubgraphView& subgraph) {
  SubgraphAnswer answer;
  answer.backend_id = backend_id;
  answer.subgraph = subgraph;
  answer.views.untouched.push_back(subgraph);
  return answer;
}

}  // namespace backplane
