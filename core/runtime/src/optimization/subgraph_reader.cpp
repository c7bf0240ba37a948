#include "optimization/subgraph_reader.hpp"

namespace backplane {

SubgraphReader::SubgraphReader(const Graph& graph, const SubgraphView& subgraph) {
  for (const LayerId id : subgraph.layers) Fill(graph, graph.layers[id], entries_[id]);
}

void SubgraphReader::Fill(const Graph& graph, const Layer& layer, Entry& entry) {
  entry.inputs = GetInputTensors(graph, layer);
  for (const TensorInfo& output : layer.outputs) entry.outputs.push_back(&output);
  entry.contents.reserve(layer.inputs.size());  // their addresses are kept
  for (const OutputSlot input : layer.inputs) {
    const Layer& producer = graph.layers[input.layer];
    if (producer.type != LayerType::kConstant) {
      entry.constants.push_back(nullptr);
      continue;
    }
    entry.contents.push_back({producer.outputs[0], producer.constant_data.get()});
    entry.constants.push_back(&entry.contents.back());
  }
  LayerView& view = entry.view;
  view.layer_type = layer.type;
  view.id = layer.id;
  view.name = layer.name.c_str();
  view.descriptor = layer.descriptor.get();
  view.inputs = layer.inputs.data();
  view.input_infos = entry.inputs.data();
  view.constants = entry.constants.data();
  view.num_inputs = static_cast<std::uint32_t>(entry.inputs.size());
  view.num_outputs = static_cast<std::uint32_t>(entry.outputs.size());
  view.output_infos = entry.outputs.data();
}

Status SubgraphReader::GetLayer(LayerId id, const LayerView** layer) const {
  if (layer == nullptr) return Status::kInvalidArgument;
  const auto found = entries_.find(id);
  *layer = found != entries_.end() ? &found->second.view : nullptr;
  return found != entries_.end() ? Status::kSuccess : Status::kNotFound;
}

}  // namespace backplane
