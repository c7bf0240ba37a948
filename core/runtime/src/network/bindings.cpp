#include "network/bindings.hpp"

namespace backplane {

std::vector<NetworkBinding> GetInputBindings(const Graph& graph) {
  std::vector<NetworkBinding> bindings;
  for (const LayerId id : graph.inputs) {
    const Layer& layer = graph.layers[id];
    const auto binding = static_cast<LayerBindingId>(bindings.size());
    bindings.push_back({binding, layer.name, layer.outputs[0]});
  }
  return bindings;
}

std::vector<NetworkBinding> GetOutputBindings(const Graph& graph) {
  std::vector<NetworkBinding> bindings;
  for (const LayerId id : graph.outputs) {
    const Layer& layer = graph.layers[id];
    const auto binding = static_cast<LayerBindingId>(bindings.size());
    bindings.push_back({binding, layer.name, GetTensor(graph, layer.inputs[0])});
  }
  return bindings;
}

std::vector<NetworkBinding> ToNetworkBindings(const std::vector<OpenBinding>& open) {
  return {open.begin(), open.end()};
}

std::vector<OpenBinding> ToOpenBindings(const std::vector<NetworkBinding>& fixed) {
  std::vector<OpenBinding> bindings(fixed.size());
  for (std::size_t i = 0; i < fixed.size(); ++i)
    static_cast<NetworkBinding&>(bindings[i]) = fixed[i];
  return bindings;
}

}  // namespace backplane
