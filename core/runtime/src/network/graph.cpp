#include "network/graph.hpp"

#include <backplane/host/diagnostic.hpp>

namespace backplane {

bool IsOperator(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  return row != nullptr && row->is_operator;
}

bool IsRunByBackend(const Layer& layer) {
  return layer.type == LayerType::kPreCompiled || IsOperator(layer);
}

const TensorInfo& GetTensor(const Graph& graph, OutputSlot slot) {
  return graph.layers[slot.layer].outputs[slot.index];
}

const void* GetConstantData(const Layer& constant) {
  return constant.constant->data.get();
}

Graph MakeConstantsReleasable(Graph graph) {
  for (Layer& layer : graph.layers) {
    if (!layer.constant) continue;
    layer.constant = std::make_shared<ConstantContent>(*layer.constant);
    layer.constant->may_be_released = true;
  }
  return graph;
}

std::vector<const TensorInfo*> GetInputTensors(const Graph& graph, const Layer& layer) {
  std::vector<const TensorInfo*> tensors;
  tensors.reserve(layer.inputs.size());
  for (const OutputSlot input : layer.inputs) tensors.push_back(&GetTensor(graph, input));
  return tensors;
}

std::string DescribeLayer(const Layer& layer) {
  const std::string type = std::string(" (") + GetLayerTypeName(layer.type) + ")";
  if (layer.name.empty()) return "layer " + GetDisplayName(layer.name, layer.id) + type;
  return "layer \"" + EscapeForDisplay(layer.name) + "\"" + type;
}

std::string GetDisplayName(const std::string& name, LayerId id) {
  return name.empty() ? "#" + std::to_string(id) : EscapeForDisplay(name);
}

}  // namespace backplane
