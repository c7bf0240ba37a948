#include "passes/can_run.hpp"

#include "kernel_builders/layer_of_node.hpp"
#include "kernels/kernel_table.hpp"

namespace backplane {
namespace cpuacc {

bool CanRun(const Graph& graph, const Node& node) {
  return FindKernelRefusal(LayerOfNode(graph, node).Get()).empty();
}

}  // namespace cpuacc
}  // namespace backplane
