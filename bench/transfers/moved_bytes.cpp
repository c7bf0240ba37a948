#include "moved_bytes.hpp"

namespace bench {

using namespace backplane;
using namespace backplane::test;

namespace {

// The rule has no kind of the core's own; a backend that uses that is one without factories.
GreedyNetwork MakeBackends(const KindTable& table) {
  GreedyNetwork network;
  for (KindIndex kind = kHostKind + 1; kind < table.kinds.size(); ++kind) {
    const auto& properties = table.kinds[kind].properties;
    network.factories.push_back(
        {properties.supports_map_unmap != 0, properties.import_sources, properties.export_sources});
  }
  for (const auto& usable : table.usable) {
    GreedyBackend backend;
    for (const KindIndex kind : usable) {
      if (kind != kHostKind) backend.preferences.push_back(kind - 1);
    }
    network.backends.push_back(std::move(backend));
  }
  return network;
}

GreedyLayer MakeLayer(const Layer& layer, std::uint32_t backend) {
  if (layer.type == LayerType::kInput) return {GreedyRole::kInput, 0};
  return {layer.type == LayerType::kOutput ? GreedyRole::kOutput : GreedyRole::kOther, backend};
}

// An output of the network is where its tensor was made.
std::uint32_t FindBackend(const PlacedNetwork& network, const Layer& layer) {
  const LayerId placed = layer.type == LayerType::kOutput ? layer.inputs[0].layer : layer.id;
  const std::uint32_t backend = network.backend_of_layer[placed];
  return backend == kCoreBackend ? 0 : backend;
}

GreedyNetwork MakeGreedyNetwork(const PlacedNetwork& network) {
  GreedyNetwork greedy = MakeBackends(network.kinds.table);
  std::vector<std::vector<std::uint32_t>> tensors(network.graph.layers.size());
  for (const Layer& layer : network.graph.layers) {
    greedy.layers.push_back(MakeLayer(layer, FindBackend(network, layer)));
    if (layer.type == LayerType::kConstant) continue;
    for (const OutputSlot input : layer.inputs) {
      if (tensors[input.layer].empty()) continue;
      greedy.edges.push_back({tensors[input.layer][input.index], layer.id});
    }
    for (const TensorInfo& info : layer.outputs) {
      tensors[layer.id].push_back(static_cast<std::uint32_t>(greedy.tensors.size()));
      greedy.tensors.push_back({layer.id, info.GetSizeBytes()});
    }
  }
  return greedy;
}

}  // namespace

MovedBytes CountPlanned(const Placement& placement) {
  MovedBytes moved;
  for (const PlacedTransfer& transfer : placement.transfers) {
    for (const TransferStep& step : transfer.steps) {
      if (step.is_shared || step.strategy == TransferStrategy::kImport) continue;
      const bool is_between = !step.from_factory.empty() && !step.to_factory.empty();
      Moved& one = is_between ? moved.between : moved.with_application;
      ++one.count;
      one.bytes += step.bytes;
    }
  }
  for (const PlacedMove& move : placement.moves) {
    ++moved.layers.count;
    moved.layers.bytes += move.bytes;
  }
  return moved;
}

std::optional<MovedBytes> CountGreedy(const PlacedNetwork& network, const GreedyOptions& options) {
  const GreedyPlan plan = PlanGreedily(MakeGreedyNetwork(network), options);
  if (plan.num_impossible != 0) return std::nullopt;
  MovedBytes moved;
  moved.between = {plan.num_copies, plan.copied_bytes};
  moved.with_application = {plan.num_application_copies, plan.application_copied_bytes};
  return moved;
}

}  // namespace bench
