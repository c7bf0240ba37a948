#include "optimization/placed_graph.hpp"

namespace backplane {

PlacedGraph MakePlacedGraph(const Graph& graph, const std::vector<LayerPlacement>& placements) {
  PlacedGraph placed;
  placed.graph = graph;
  placed.layers.resize(graph.layers.size());
  for (const Layer& layer : graph.layers) placed.layers[layer.id].origin = layer.id;
  for (const LayerPlacement& placement : placements) {
    PlacedLayer& layer = placed.layers[placement.layer];
    layer.backend_id = placement.backend_id;
    layer.is_new = true;
  }
  return placed;
}

}  // namespace backplane
