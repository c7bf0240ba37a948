#include "optimization/subgraph_reader.hpp"

namespace backplane {

SubgraphReader::SubgraphReader(const Graph& graph, const ShownConstants& shown,
                               const SubgraphView& subgraph) {
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

}  // namespace backplane
