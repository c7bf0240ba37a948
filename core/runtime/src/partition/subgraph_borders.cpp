#include "partition/subgraph_borders.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {

SubgraphBorders::SubgraphBorders(const Graph& graph)
    : graph_(graph), readers_(graph.layers.size()) {
  for (const Layer& layer : graph.layers) {
    for (const OutputSlot input : layer.inputs) readers_[input.layer].push_back(layer.id);
  }
}

SubgraphView SubgraphBorders::Describe(const std::vector<LayerId>& layers) const {
  SubgraphView view;
  view.layers = layers;
  const std::set<LayerId> inside(layers.begin(), layers.end());
  std::set<std::pair<LayerId, std::uint32_t>> entered;
  for (const LayerId id : layers) {
    for (const OutputSlot input : graph_.layers[id].inputs) {
      if (inside.count(input.layer) != 0) continue;
      if (graph_.layers[input.layer].type == LayerType::kConstant) continue;
      if (entered.emplace(input.layer, input.index).second) view.inputs.push_back(input);
    }
  }
  for (const LayerId id : layers) {
    for (std::uint32_t index = 0; index < graph_.layers[id].outputs.size(); ++index) {
      const OutputSlot output{id, index};
      const bool leaves =
          std::any_of(readers_[id].begin(), readers_[id].end(), [&](LayerId reader) {
            const auto& inputs = graph_.layers[reader].inputs;
            return inside.count(reader) == 0 &&
                   std::find(inputs.begin(), inputs.end(), output) != inputs.end();
          });
      if (leaves) view.outputs.push_back(output);
    }
  }
  return view;
}

}  // namespace backplane
