#include "memory/tensor_lifetimes.hpp"

#include "graph/tensor_numbers.hpp"

#include <algorithm>
#include <limits>

namespace backplane {

std::vector<TensorLifetime> ComputeLifetimes(const BridgedNetwork& network,
                                             const AliasGroups& groups) {
  const Graph& graph = network.graph;
  const TensorNumbers numbers(graph);
  constexpr std::uint32_t kNotYet = std::numeric_limits<std::uint32_t>::max();
  std::vector<TensorLifetime> lifetimes(groups.owners.size(), {0, kNotYet, 0});
  const auto use = [&](OutputSlot slot, std::uint32_t step) {
    TensorLifetime& lifetime = lifetimes[groups.tensors[numbers.Get(slot)].group];
    lifetime.first_step = std::min(lifetime.first_step, step);
    lifetime.last_step = std::max(lifetime.last_step, step);
  };
  std::uint32_t step = 0;
  for (const Layer& layer : graph.layers) {
    const LayerRole role = network.roles[layer.id];
    if (role == LayerRole::kStep) {
      ++step;
      for (const OutputSlot input : layer.inputs) use(input, step);
    }
    if (role != LayerRole::kStep && role != LayerRole::kEndpoint) continue;
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      use({layer.id, index}, role == LayerRole::kStep ? step : 0);
    }
  }
  for (const LayerId output : graph.outputs) use(graph.layers[output].inputs[0], step + 1);
  for (std::uint32_t tensor = 0; tensor < groups.tensors.size(); ++tensor) {
    const AliasedTensor& aliased = groups.tensors[tensor];
    const KindIndex kind = network.kind_of_tensor[tensor];
    const bool is_of_owner = kind == network.kind_of_tensor[groups.owners[aliased.group]];
    if (kind == kNoKind || !is_of_owner) continue;
    std::uint64_t& size_bytes = lifetimes[aliased.group].size_bytes;
    size_bytes =
        std::max(size_bytes, aliased.offset_bytes + network.requirements[tensor].size_bytes);
  }
  for (TensorLifetime& lifetime : lifetimes) {
    if (lifetime.first_step == kNotYet) lifetime.first_step = 0;
  }
  return lifetimes;
}

}  // namespace backplane
