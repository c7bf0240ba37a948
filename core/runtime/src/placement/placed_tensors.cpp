#include "placement/placed_tensors.hpp"

#include <cstdint>

namespace backplane {

std::vector<PlacedEndpoint> CollectEndpoints(const Graph& graph) {
  std::vector<PlacedEndpoint> endpoints;
  for (const Layer& layer : graph.layers) {
    if (!IsOperator(layer)) endpoints.push_back({layer.id, layer.name, layer.type});
  }
  return endpoints;
}

std::vector<PlacedEdge> CollectEdges(const Graph& graph) {
  std::vector<PlacedEdge> edges;
  for (const Layer& layer : graph.layers) {
    std::uint32_t input = 0;
    for (const OutputSlot slot : layer.inputs) {
      edges.push_back({slot.layer, layer.id, slot.index, input, GetTensor(graph, slot)});
      ++input;
    }
  }
  return edges;
}

}  // namespace backplane
