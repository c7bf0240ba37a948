#include "memory/tensor_lifetimes.hpp"

#include "memory/tensor_numbers.hpp"

namespace backplane {

std::vector<TensorLifetime> ComputeLifetimes(const Graph& graph, const AliasGroups& groups) {
  const TensorNumbers numbers(graph);
  std::vector<TensorLifetime> lifetimes(groups.owners.size());
  const auto lifetime_of = [&](OutputSlot slot) -> TensorLifetime& {
    return lifetimes[groups.tensors[numbers.Get(slot)].group];
  };
  std::uint32_t step = 0;
  for (const Layer& layer : graph.layers) {
    if (IsStep(layer)) {
      ++step;
      for (const OutputSlot input : layer.inputs) lifetime_of(input).last_step = step;
    }
    const std::uint32_t written_at = IsStep(layer) ? step : 0;
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      const AliasedTensor& tensor = groups.tensors[numbers.Get({layer.id, index})];
      if (tensor.kind == AliasKind::kOwner) {
        const bool is_constant = layer.type == LayerType::kConstant;
        lifetimes[tensor.group] = {is_constant ? 0 : layer.outputs[index].GetSizeBytes(),
                                   written_at, written_at};
      }
    }
  }
  for (const LayerId output : graph.outputs) {
    lifetime_of(graph.layers[output].inputs[0]).last_step = step + 1;
  }
  return lifetimes;
}

}  // namespace backplane
