#include "graph/layer_tensors.hpp"

namespace backplane {

LayerTensors::LayerTensors(const Graph& graph, const ShownConstants& shown, const Layer& layer)
    : inputs_(GetInputTensors(graph, layer)) {
  for (const TensorInfo& output : layer.outputs) outputs_.push_back(&output);
  contents_.reserve(layer.inputs.size());  // their addresses are kept
  for (const OutputSlot input : layer.inputs) {
    const Layer* constant = shown.Find(input);
    if (constant == nullptr) {
      constants_.push_back(nullptr);
      continue;
    }
    contents_.push_back(
        {GetTensor(graph, input), GetConstantData(*constant), {constant->constant->identity, 0}});
    constants_.push_back(&contents_.back());
  }
}

}  // namespace backplane
