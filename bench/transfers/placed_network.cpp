#include "placed_network.hpp"

#include "graph/network.hpp"
#include "placement/optimized_network.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

using namespace backplane;

namespace {

void RequireUntouched(const Placement& placement) {
  for (const PlacedSubgraph& part : placement.subgraphs) {
    if (part.outcome != SubgraphOutcome::kUntouched) {
      throw std::runtime_error(part.backend_id + " changed its part of " + placement.network);
    }
  }
}

std::vector<std::uint32_t> NumberBackends(const OptimizedNetworkParts& parts,
                                          std::size_t num_layers) {
  std::vector<std::uint32_t> numbers(num_layers, kCoreBackend);
  for (const LayerPlacement& layer : parts.placement.layers) {
    const auto found = std::find_if(parts.backends.begin(), parts.backends.end(),
                                    [&](const auto& one) { return one->id == layer.backend_id; });
    numbers[layer.layer] = static_cast<std::uint32_t>(found - parts.backends.begin());
  }
  return numbers;
}

}  // namespace

PlacedNetwork PlaceNetwork(const INetwork& network, const std::vector<std::string>& backends,
                           const DeviceSpec& device) {
  PlacedNetwork placed;
  OptimizerOptions options;
  options.policy = PreferencePolicy::kStrict;  // the cut is to stay
  placed.optimized = Optimize(network, backends, device, options);
  placed.graph = static_cast<const Network&>(network).GetGraph();
  const auto& parts = static_cast<const OptimizedNetwork&>(*placed.optimized).GetParts();
  RequireUntouched(parts.placement);
  placed.backend_of_layer = NumberBackends(parts, placed.graph.layers.size());
  std::vector<Diagnostic> warnings;
  placed.kinds = CollectKinds(parts.backends, MemoryProtection::kNone, warnings);
  return placed;
}

}  // namespace bench
