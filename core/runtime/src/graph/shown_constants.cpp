#include "graph/shown_constants.hpp"

#include "graph/layer_aliasing.hpp"

namespace backplane {

ShownConstants::ShownConstants(const Graph& graph) : constants_(graph.layers.size(), nullptr) {
  for (const Layer& layer : graph.layers) {
    if (layer.type == LayerType::kConstant) {
      constants_[layer.id] = &layer;
    } else if (GetAliasing(layer) == LayerAliasing::kView) {
      constants_[layer.id] = constants_[layer.inputs[0].layer];
    }
  }
}

}  // namespace backplane
