#include "optimization/bridge_placed.hpp"

#include "bridging/bridge_network.hpp"
#include "contexts/runtime_contexts.hpp"
#include "placement/transfer_report.hpp"
#include "profiling/span.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

// The backends that have layers, in the order of their first ones, and whose each layer is.
std::vector<std::uint32_t> NumberBackends(
    const PlacedGraph& placed, const BackendPool& pool,
    std::vector<std::shared_ptr<const NetworkBackend>>& backends) {
  std::vector<std::uint32_t> backend_of_layer(placed.graph.layers.size(), kCoreBackend);
  for (const Layer& layer : placed.graph.layers) {
    if (!IsRunByBackend(layer)) continue;
    const std::string& id = placed.layers[layer.id].backend_id;
    auto used = std::find_if(backends.begin(), backends.end(),
                             [&](const auto& backend) { return backend->id == id; });
    if (used == backends.end()) used = backends.insert(used, pool.Get(id));
    backend_of_layer[layer.id] = static_cast<std::uint32_t>(used - backends.begin());
  }
  return backend_of_layer;
}

MemoryProtection GetProtection(const DeviceSpec& device) {
  const auto& contexts = device.ShareContexts();
  return contexts ? contexts->GetProtection() : MemoryProtection::kNone;
}

}  // namespace

OptimizedNetworkParts BridgePlaced(PlacedNetwork network, const DeviceSpec& device,
                                   const BackendPool& pool) {
  const profiling::Span phase(device.GetRecorder(), ProfileEventKind::kPhase,
                              "choose tensor memory");
  OptimizedNetworkParts parts;
  parts.device = device;
  parts.placement = std::move(network.placement);
  const std::vector<std::uint32_t> backend_of_layer =
      NumberBackends(network.placed, pool, parts.backends);
  std::vector<std::string> ids;
  for (const auto& backend : parts.backends) ids.push_back(backend->id);

  const MemoryProtection protection = GetProtection(device);
  NetworkKinds kinds = CollectKinds(parts.backends, protection, parts.placement.warnings);
  std::vector<PlacedMove> moves;
  BridgeResult bridged =
      BridgeAndJoin(network.placed.graph, backend_of_layer, kinds, protection, ids, moves);
  ReportTransfers(network.placed, bridged.record, kinds.table, ids, parts.placement);
  parts.placement.moves.insert(parts.placement.moves.end(), moves.begin(), moves.end());
  parts.network = std::move(bridged.network);
  parts.output_origins.resize(parts.network.graph.layers.size());
  for (const auto& [old_id, new_id] : bridged.record.new_ids) {
    parts.output_origins[new_id] = network.placed.layers[old_id].output_origins;
  }
  parts.kinds = std::move(kinds.table);
  return parts;
}

}  // namespace backplane
