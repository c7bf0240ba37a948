#include "graph/node_order.hpp"
#include "passes/passes.hpp"

namespace backplane {
namespace cpuacc {

/// Nodes whose results nobody reads are left out.
void RemoveUnneeded(Graph& graph) {
  CompactNodes(graph);
}

}  // namespace cpuacc
}  // namespace backplane
