#include "placement/view_groups.hpp"

#include "graph/layer_aliasing.hpp"

#include <algorithm>

namespace backplane {

namespace {

class Finder {
 public:
  Finder(const Graph& graph, const TensorNumbers& numbers,
         const std::vector<std::uint32_t>& backend_of_layer)
      : graph_(graph),
        numbers_(numbers),
        backend_of_layer_(backend_of_layer),
        readers_of_tensor_(numbers.GetCount()) {
    found_.group_of_tensor.resize(numbers.GetCount());
    found_.member_of_tensor.resize(numbers.GetCount());
  }

  ViewGroups Find() {
    for (const Layer& layer : graph_.layers) {
      if (IsView(layer)) {
        AddView(layer);
        continue;
      }
      for (const OutputSlot input : layer.inputs) AddReader(layer, input);
      for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
        AddOwner(layer, {layer.id, index});
      }
    }
    return std::move(found_);
  }

 private:
  void AddOwner(const Layer& layer, OutputSlot slot) {
    ViewGroup group;
    group.members.push_back({slot, 0, layer.id});
    group.is_constant = layer.type == LayerType::kConstant;
    const std::uint32_t tensor = numbers_.Get(slot);
    found_.group_of_tensor[tensor] = static_cast<std::uint32_t>(found_.groups.size());
    found_.groups.push_back(std::move(group));
  }

  void AddView(const Layer& layer) {
    const std::uint32_t source = numbers_.Get(layer.inputs[0]);
    const std::uint32_t group = found_.group_of_tensor[source];
    auto& members = found_.groups[group].members;
    const std::uint32_t tensor = numbers_.Get({layer.id, 0});
    found_.group_of_tensor[tensor] = group;
    found_.member_of_tensor[tensor] = static_cast<std::uint32_t>(members.size());
    members.push_back({{layer.id, 0}, found_.member_of_tensor[source], layer.id});
  }

  // Each output of the application is a reader of its own: it has memory of its own.
  void AddReader(const Layer& layer, OutputSlot input) {
    const std::uint32_t tensor = numbers_.Get(input);
    auto& readers = found_.groups[found_.group_of_tensor[tensor]].readers;
    const std::uint32_t member = found_.member_of_tensor[tensor];
    if (layer.type == LayerType::kOutput) {
      readers.push_back({member, kOfApplication, {layer.id}, kNoKind});
      return;
    }
    const std::uint32_t backend = backend_of_layer_[layer.id];
    std::vector<std::uint32_t>& of_tensor = readers_of_tensor_[tensor];
    const auto known = std::find_if(of_tensor.begin(), of_tensor.end(), [&](std::uint32_t reader) {
      return readers[reader].backend == backend;
    });
    if (known == of_tensor.end()) {
      of_tensor.push_back(static_cast<std::uint32_t>(readers.size()));
      readers.push_back({member, backend, {layer.id}, kNoKind});
    } else if (readers[*known].layers.back() != layer.id) {
      readers[*known].layers.push_back(layer.id);
    }
  }

  const Graph& graph_;
  const TensorNumbers& numbers_;
  const std::vector<std::uint32_t>& backend_of_layer_;
  // Those of backends, one for each, so that looking through them takes the same time however many
  // views and outputs their groups have.
  std::vector<std::vector<std::uint32_t>> readers_of_tensor_;
  ViewGroups found_;
};

}  // namespace

bool IsView(const Layer& layer) {
  return GetAliasing(layer) == LayerAliasing::kView;
}

ViewGroups FindViewGroups(const Graph& graph, const TensorNumbers& numbers,
                          const std::vector<std::uint32_t>& backend_of_layer) {
  return Finder(graph, numbers, backend_of_layer).Find();
}

}  // namespace backplane
