#pragma once

#include "graph/graph.hpp"
#include "placement/backend_costs.hpp"

#include <backplane/runtime/placement.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace backplane {

/// The backend that would have a layer instead of the one that has it; "" for none. Not asked for
/// layers with a hint.
using FindNextBackend = std::function<std::string(LayerId layer, const std::string& backend_id)>;

/// Layers that lie among those of other backends, and that cost more where they are than they save
/// there: their tensors cross from and to the neighbours, for work that takes less time than that
/// on the backends that come next.
struct CostlyIsland {
  std::vector<LayerId> layers;  // ascending
  std::string reason;           // for users
};

/// The islands to give up, in the order in which they are given up: each is judged with those
/// before it given up. `placements` has all operators of the graph, in its order. What runs on one
/// backend as a whole is no island. Constants, and what the application gives and takes, do not
/// cross. The same input gives the same islands; the time grows as the network and its islands do.
std::vector<CostlyIsland> FindCostlyIslands(const Graph& graph,
                                            const std::vector<LayerPlacement>& placements,
                                            const std::map<std::string, BackendCosts>& costs,
                                            const FindNextBackend& find_next);

}  // namespace backplane
