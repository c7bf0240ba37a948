#include "network/layer_tensors.hpp"

#include "network/layer_aliasing.hpp"

namespace backplane {

namespace {

// The constant whose bytes a tensor shows, through views too; null when there is none.
const Layer* FindConstant(const Graph& graph, OutputSlot slot) {
  const Layer* producer = &graph.layers[slot.layer];
  while (producer->type != LayerType::kConstant) {
    if (GetAliasing(*producer) != LayerAliasing::kView) return nullptr;
    producer = &graph.layers[producer->inputs[0].layer];
  }
  return producer;
}

}  // namespace

LayerTensors::LayerTensors(const Graph& graph, const Layer& layer)
    : inputs_(GetInputTensors(graph, layer)) {
  for (const TensorInfo& output : layer.outputs) outputs_.push_back(&output);
  contents_.reserve(layer.inputs.size());  // their addresses are kept
  for (const OutputSlot input : layer.inputs) {
    const Layer* constant = FindConstant(graph, input);
    if (constant == nullptr) {
      constants_.push_back(nullptr);
      continue;
    }
    contents_.push_back({GetTensor(graph, input), constant->constant_data.get()});
    constants_.push_back(&contents_.back());
  }
}

}  // namespace backplane
