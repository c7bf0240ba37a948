#pragma once

/// From the layers of a sub-graph, or a single layer, to a graph.

#include "graph/graph.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/subgraph_view.hpp>

namespace backplane {
namespace cpuacc {

/// The content of constants is borrowed from the arguments.
Graph BuildGraph(const OptimizeSubgraphArgs& args, const SubgraphView& part);
Graph BuildGraph(const WorkloadArgs& args);

}  // namespace cpuacc
}  // namespace backplane
