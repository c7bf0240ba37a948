#include "passes/can_run.hpp"

#include "kernels/kernel_table.hpp"
#include "making/layer_of_node.hpp"

namespace backplane {
namespace cpuacc {

bool CanRun(const Graph& graph, const Node& node) {
  return FindKernelRefusal(LayerOfNode(graph, node).Get()).empty();
}

}  // namespace cpuacc
}  // namespace backplane
