#include "placement/subgraph_borders.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {

SubgraphBorders::SubgraphBorders(const Graph& graph)
    : graph_(graph), numbers_(graph), shown_(graph), readers_(numbers_.GetCount()) {
  for (const Layer& layer : graph.layers) {
    for (const OutputSlot input : layer.inputs) readers_[numbers_.Get(input)].push_back(layer.id);
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
      const std::vector<LayerId>& readers = readers_[numbers_.Get(output)];
      const bool leaves = std::any_of(readers.begin(), readers.end(),
                                      [&](LayerId reader) { return inside.count(reader) == 0; });
      if (leaves) view.outputs.push_back(output);
    }
  }
  return view;
}

}  // namespace backplane
