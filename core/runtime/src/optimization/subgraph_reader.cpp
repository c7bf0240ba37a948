#include "optimization/subgraph_reader.hpp"

namespace backplane {

SubgraphReader::SubgraphReader(const Graph& graph, const ShownConstants& shown,
                               const SubgraphView& subgraph)
    : graph_(graph), shown_(shown) {
  for (const LayerId id : subgraph.layers) entries_.try_emplace(id, graph, shown, graph.layers[id]);
}

SubgraphReader::Entry::Entry(const Graph& graph, const ShownConstants& shown, const Layer& layer)
    : tensors(graph, shown, layer) {
  view.layer_type = layer.type;
  view.id = layer.id;
  view.name = layer.name.c_str();
  view.descriptor = layer.descriptor.get();
  view.inputs = layer.inputs.data();
  view.input_infos = tensors.GetInputs().data();
  view.constants = tensors.GetConstants().data();
  view.num_inputs = static_cast<std::uint32_t>(tensors.GetInputs().size());
  view.num_outputs = static_cast<std::uint32_t>(tensors.GetOutputs().size());
  view.output_infos = tensors.GetOutputs().data();
}

Status SubgraphReader::GetLayer(LayerId id, const LayerView** layer) const {
  if (layer == nullptr) return Status::kInvalidArgument;
  const auto found = entries_.find(id);
  *layer = found != entries_.end() ? &found->second.view : nullptr;
  return found != entries_.end() ? Status::kSuccess : Status::kNotFound;
}

Status SubgraphReader::ShareConstant(LayerId layer, std::uint32_t input,
                                     std::shared_ptr<const void>* content) const {
  if (content == nullptr) return Status::kInvalidArgument;
  if (entries_.count(layer) == 0) return Status::kNotFound;
  const auto& inputs = graph_.layers[layer].inputs;
  const Layer* constant = input < inputs.size() ? shown_.Find(inputs[input]) : nullptr;
  if (constant == nullptr) return Status::kInvalidArgument;
  *content = constant->constant->data;
  return Status::kSuccess;
}

}  // namespace backplane
