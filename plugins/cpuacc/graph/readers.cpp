#include "graph/readers.hpp"

namespace backplane {
namespace cpuacc {

Readers::Readers(const Graph& graph)
    : makers_(graph.tensors.size(), kNoNode),
      num_reads_(graph.tensors.size(), 0),
      readers_(graph.tensors.size()) {
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    if (node.is_removed) continue;
    for (const TensorId output : node.outputs) makers_[output] = index;
    for (const TensorId input : node.inputs) {
      ++num_reads_[input];
      if (readers_[input].empty() || readers_[input].back() != index) {
        readers_[input].push_back(index);
      }
    }
  }
  for (const TensorId output : graph.outputs) ++num_reads_[output];
}

}  // namespace cpuacc
}  // namespace backplane
