#include "optimization/select_subgraphs.hpp"

#include "optimization/part_graph.hpp"

namespace backplane {

std::vector<std::vector<LayerId>> SelectSubgraphs(const Graph& graph,
                                                  const std::vector<std::uint32_t>& owners) {
  PartGraph parts(graph);
  for (const Layer& layer : graph.layers) {
    if (!IsRunByBackend(layer) || owners[layer.id] == kNoOwner) continue;
    for (const OutputSlot input : layer.inputs) {
      const Layer& producer = graph.layers[input.layer];
      if (!IsRunByBackend(producer) || owners[producer.id] != owners[layer.id]) continue;
      parts.TryMerge(producer.id, layer.id);
    }
  }
  return parts.GetParts();
}

}  // namespace backplane
