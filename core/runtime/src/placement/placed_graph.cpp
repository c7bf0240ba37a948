#include "placement/placed_graph.hpp"

namespace backplane {

PlacedGraph MakePlacedGraph(const Graph& graph, const std::vector<LayerPlacement>& placements) {
  PlacedGraph placed;
  placed.graph = graph;
  placed.layers.resize(graph.layers.size());
  for (const Layer& layer : graph.layers) {
    placed.layers[layer.id].origin = layer.id;
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      placed.layers[layer.id].output_origins.push_back({layer.id, index});
    }
  }
  for (const LayerPlacement& placement : placements) {
    PlacedLayer& layer = placed.layers[placement.layer];
    layer.backend_id = placement.backend_id;
    layer.is_new = true;
  }
  return placed;
}

}  // namespace backplane
