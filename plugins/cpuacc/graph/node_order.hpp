#pragma once

#include "graph/graph.hpp"

namespace backplane {
namespace cpuacc {

/// Drops nodes that are removed, and those whose outputs nobody needs. The others are brought into
/// an order in which they can run; those that are in one already keep it.
void CompactNodes(Graph& graph);

}  // namespace cpuacc
}  // namespace backplane
