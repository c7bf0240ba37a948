#pragma once

/// From the layers of a sub-graph, or a single layer, to a graph.

#include "graph/graph.hpp"
#include "graph/offered_constants.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/subgraph_view.hpp>

namespace backplane {
namespace cpuacc {

Graph BuildGraph(const OptimizeSubgraphArgs& args, const SubgraphView& part,
                 OfferedConstants& constants);

/// The content of constants is borrowed: it stays as long as the workload.
Graph BuildGraph(const WorkloadArgs& args);

}  // namespace cpuacc
}  // namespace backplane
