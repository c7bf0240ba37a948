#include <backplane/runtime/optimize.hpp>

#include "graph/network.hpp"
#include "placement/backend_pool.hpp"
#include "placement/bridge_network.hpp"
#include "placement/offer_subgraph.hpp"
#include "placement/open_network.hpp"
#include "placement/optimized_network.hpp"
#include "placement/place_graph.hpp"
#include "placement/place_network.hpp"
#include "placement/placed_example.hpp"
#include "placement/placed_tensors.hpp"
#include "placement/placement_report.hpp"
#include "placement/runtime_contexts.hpp"
#include "placement/transfer_errors.hpp"
#include "profiling/span.hpp"

#include <backplane/host/isolation.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/options.hpp>
#include <backplane/host/thread_places.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
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

// Gives the tensors of a placed network their kinds of memory, and reports what crosses.
// Errors: DiagnosticException with kNoTransfer, kBackendThrew or kFactoryDisagrees.
void BridgePlaced(const PlacedGraph& placed, const DeviceSpec& device, const BackendPool& pool,
                  OptimizedNetworkParts& parts) {
  const profiling::Span phase(device.GetRecorder(), ProfileEventKind::kPhase,
                              "choose tensor memory");
  parts.device = device;
  const std::vector<std::uint32_t> backend_of_layer = NumberBackends(placed, pool, parts.backends);
  std::vector<std::string> ids;
  for (const auto& backend : parts.backends) ids.push_back(backend->id);

  const MemoryProtection protection = GetProtection(device);
  NetworkKinds kinds = CollectKinds(parts.backends, protection, parts.placement.warnings);
  std::vector<PlacedMove> moves;
  BridgeResult bridged =
      BridgeAndJoin(placed.graph, backend_of_layer, kinds, protection, ids, moves);
  ReportTransfers(placed, bridged.record, kinds.table, ids, parts.placement);
  parts.placement.moves.insert(parts.placement.moves.end(), moves.begin(), moves.end());
  parts.network = std::move(bridged.network);
  parts.output_origins.resize(parts.network.graph.layers.size());
  for (const auto& [old_id, new_id] : bridged.record.new_ids) {
    parts.output_origins[new_id] = placed.layers[old_id].output_origins;
  }
  parts.kinds = std::move(kinds.table);
}

[[noreturn]] void ThrowNullNetwork() {
  Diagnostic diagnostic{DiagnosticCode::kNullNetwork};
  diagnostic.subject.kind = SubjectKind::kNetwork;
  diagnostic.what = "Optimize was called without a network";
  diagnostic.why = "found null; expected what INetwork::Create or an importer made";
  diagnostic.fix = "give each network to Optimize once, and make it before";
  throw DiagnosticException(std::move(diagnostic));
}

// Tells of which layer the hint is that names no backend.
[[noreturn]] void ThrowUnknownHint(const Layer& layer, const Diagnostic& cause) {
  Diagnostic diagnostic{cause.code};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "the backend hint of " + DescribeLayer(layer) + " cannot be followed";
  diagnostic.why = cause.what + ": " + cause.why;
  diagnostic.fix = cause.fix;
  diagnostic.causes = {cause};
  throw DiagnosticException(std::move(diagnostic));
}

// For a network without preferences. May name one twice.
std::vector<std::string> MakeDefaultPreferences(const DeviceSpec& device) {
  std::vector<std::string> ids;
  for (const Setting& preferred : device.GetPreferredBackends()) ids.push_back(preferred.value);
  const std::vector<std::string> by_rank = device.GetBackendIdsByRank();
  ids.insert(ids.end(), by_rank.begin(), by_rank.end());
  return ids;
}

AssignmentOrder MakeOrder(const Graph& graph, const std::vector<std::string>& preferences,
                          const DeviceSpec& device) {
  AssignmentOrder order;
  const BackendRegistry& registry = device.GetRegistry();
  for (const std::string& id : preferences.empty() ? MakeDefaultPreferences(device) : preferences) {
    auto& ids = order.backend_ids;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
    registry.GetRegistration(id);  // throws when it is not available
    ids.push_back(id);
  }
  for (const Layer& layer : graph.layers) {
    if (layer.backend_hint.empty()) continue;
    try {
      registry.GetRegistration(layer.backend_hint);
    } catch (const DiagnosticException& exception) {
      ThrowUnknownHint(layer, exception.GetDiagnostic());
    }
  }
  return order;
}

std::set<std::string> GetNamedBackends(const Graph& graph,
                                       const std::vector<std::string>& preferences) {
  std::set<std::string> named(preferences.begin(), preferences.end());
  for (const Layer& layer : graph.layers) {
    if (!layer.backend_hint.empty()) named.insert(layer.backend_hint);
  }
  return named;
}

// Makes the backends that are to be asked and have options, so that mistakes in those are found.
void MakeConfigured(BackendPool& pool, const AssignmentOrder& order,
                    const std::set<std::string>& named, const ModelOptions& model_options) {
  for (const BackendOptions& group : model_options) {
    if (order.excluded.count(group.backend_id) != 0) continue;
    const bool is_asked = named.count(group.backend_id) != 0 ||
                          std::find(order.backend_ids.begin(), order.backend_ids.end(),
                                    group.backend_id) != order.backend_ids.end();
    if (is_asked) pool.Make(group.backend_id);
  }
}

void LogPlacement(const OptimizedNetwork& network) {
  constexpr char kChannel[] = "assignment";
  if (!IsLogEnabled(kChannel, LogLevel::kDebug)) return;
  const Placement& placement = network.GetPlacement();
  Log(kChannel, LogLevel::kDebug,
      "network \"" + placement.network + "\" is placed:\n" + ToText(placement) +
          TransfersToText(placement));
}

// Whether a backend that is asked runs in a process of its own.
// Errors: as MakeOrder.
bool MayBeIsolated(const Graph& graph, const std::vector<std::string>& preferences,
                   const DeviceSpec& device) {
  std::vector<std::string> ids = MakeOrder(graph, preferences, device).backend_ids;
  for (const std::string& id : GetNamedBackends(graph, preferences)) ids.push_back(id);
  return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
    return device.GetRegistry().GetRegistration(id).origin->isolation != nullptr;
  });
}

bool HasIsolated(const OptimizedNetworkParts& parts) {
  return std::any_of(parts.backends.begin(), parts.backends.end(), [](const auto& backend) {
    return backend->backend.GetOrigin()->isolation != nullptr;
  });
}

// The next process may take other layers than the one before.
std::optional<Diagnostic> FindOtherPlacement(const Placement& before, const Placement& now) {
  std::size_t num_moved = 0;
  std::string first;
  for (std::size_t i = 0; i < before.layers.size() && i < now.layers.size(); ++i) {
    const LayerPlacement& layer = now.layers[i];
    if (before.layers[i].backend_id == layer.backend_id) continue;
    if (num_moved++ != 0) continue;
    first = "layer \"" + layer.name + "\" runs on " + layer.backend_id + ", before on " +
            before.layers[i].backend_id;
  }
  if (num_moved == 0) return std::nullopt;
  Diagnostic diagnostic{DiagnosticCode::kPlacedOtherwise, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kNetwork, now.network};
  diagnostic.what = "network \"" + now.network +
                    "\" runs otherwise since the process of a backend was started again";
  diagnostic.why = "found that " + first +
                   (num_moved > 1 ? " (and " + std::to_string(num_moved - 1) + " more)" : "") +
                   "; expected that a backend takes the same layers each time";
  diagnostic.fix = "report it to the vendor of the backend; results are right";
  return diagnostic;
}

/// Which backends are asked, in which order, and the backends that have options.
struct PreparedBackends {
  AssignmentOrder order;
  BackendPool pool;
};

PreparedBackends PrepareBackends(const PlacementRequest& request, const DeviceSpec& device,
                                 ExcludedBackends excluded, LayerByLayer layer_by_layer) {
  const Graph& graph = request.graph;
  const OptimizerOptions& options = request.options;
  for (const BackendOptions& group : options.model_options) {
    RequireKnownBackend(device.GetRegistry(), group.backend_id);
  }
  AssignmentOrder order = MakeOrder(graph, request.preferences, device);
  order.excluded = std::move(excluded);
  order.layer_by_layer = std::move(layer_by_layer);
  const std::set<std::string> named = GetNamedBackends(graph, request.preferences);
  BackendPool pool(device, options.model_options, graph,
                   order.excluded.empty() ? named : std::set<std::string>());
  MakeConfigured(pool, order, named, options.model_options);
  return {std::move(order), std::move(pool)};
}

std::shared_ptr<OptimizedNetwork> PlaceOnce(const PlacementRequest& request,
                                            const DeviceSpec& device, ExcludedBackends excluded,
                                            const LayerByLayer& layer_by_layer) {
  const auto& [graph, preferences, options, examples, like] = request;
  const bool may_be_placed_elsewhere =
      options.on_failure == FailurePolicy::kPlaceElsewhere && excluded.empty();
  auto [order, pool] = PrepareBackends(request, device, std::move(excluded), layer_by_layer);

  OptimizedNetworkParts parts;
  PlacedNetwork placed;
  const bool has_examples = examples != nullptr && layer_by_layer.empty();
  auto resized = has_examples ? examples->PlaceLikeOne(graph, pool, *like) : std::nullopt;
  placed.placement.network = graph.name;
  if (resized) {
    parts.like = *like;
    placed.placed = std::move(*resized);
  } else {
    placed.placement.preferences = preferences;
    if (preferences.empty()) placed.placement.preferred = device.GetPreferredBackends();
    PlaceOnBackends(graph, std::move(order), pool, options, examples != nullptr,
                    device.GetRecorder(), placed);
    if (has_examples) {
      auto example = std::make_shared<const PlacedExample>(PlacedExample{graph, placed});
      if (examples->Add(example)) like->example = std::move(example);
    }
    placed.placement.endpoints = CollectEndpoints(graph);
    placed.placement.edges = CollectEdges(graph);
  }
  if (like != nullptr) parts.like.refused_by = like->refused_by;
  parts.placement = std::move(placed.placement);
  WorkLimitScope::RequireTime();
  BridgePlaced(placed.placed, device, pool, parts);
  RequireFewBytesCopied(parts.placement, options.max_copied_bytes);
  if (may_be_placed_elsewhere || HasIsolated(parts)) {
    parts.source = std::make_shared<PlacementSource>(
        PlacementSource{graph, preferences, options, layer_by_layer});
  }
  auto network = std::make_shared<OptimizedNetwork>(std::move(parts));
  LogPlacement(*network);
  return network;
}

}  // namespace

void RequireOutputs(const std::string& network, std::size_t num_layers, std::size_t num_outputs) {
  if (num_outputs != 0) return;
  Diagnostic diagnostic{DiagnosticCode::kNoOutputs};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what = "network \"" + network + "\" has no outputs";
  diagnostic.why =
      "found " + std::to_string(num_layers) + " layers and no output; expected at least one output";
  diagnostic.fix = "add an output with AddOutputLayer";
  throw DiagnosticException(std::move(diagnostic));
}

void RequireKnownOptions(const PlacementRequest& request, const DeviceSpec& device) {
  PrepareBackends(request, device, {}, {});
}

std::shared_ptr<OptimizedNetwork> PlaceGraph(const PlacementRequest& request,
                                             const DeviceSpec& device, ExcludedBackends excluded,
                                             LayerByLayer layer_by_layer) {
  const Graph& graph = request.graph;
  const profiling::Span span(device.GetRecorder(), ProfileEventKind::kOptimize, "optimize",
                             graph.name);
  const CallScope scope([&] { return "in Optimize of network \"" + graph.name + "\""; });
  RequireOutputs(graph.name, graph.layers.size(), graph.outputs.size());
  for (;;) {
    try {
      return PlaceOnce(request, device, excluded, layer_by_layer);
    } catch (ProcessLost& lost) {
      layer_by_layer.emplace(std::move(lost.backend_id), std::move(lost.warning));
    }
  }
}

std::shared_ptr<const OptimizedNetwork> PlaceAgain(const OptimizedNetwork& before,
                                                   ExcludedBackends excluded) {
  const PlacementSource& source = *before.GetParts().source;
  auto network = PlaceGraph({source.graph, source.preferences, source.options},
                            before.GetParts().device, std::move(excluded), source.layer_by_layer);
  if (auto warning = FindOtherPlacement(before.GetPlacement(), network->GetPlacement())) {
    Log("assignment", LogLevel::kWarning, ToText(*warning));
    network->AddWarning(std::move(*warning));
  }
  return network;
}

std::shared_ptr<const IOptimizedNetwork> Optimize(const INetwork& network,
                                                  const std::vector<std::string>& preferences,
                                                  const DeviceSpec& device,
                                                  const OptimizerOptions& options) {
  if (auto source = static_cast<const Network&>(network).MakeSource()) {
    return std::make_shared<OpenNetwork>(std::move(source), preferences, device, options);
  }
  return PlaceGraph({static_cast<const Network&>(network).GetGraph(), preferences, options},
                    device);
}

std::shared_ptr<const IOptimizedNetwork> Optimize(std::unique_ptr<INetwork> network,
                                                  const std::vector<std::string>& preferences,
                                                  const DeviceSpec& device,
                                                  const OptimizerOptions& options) {
  if (!network) ThrowNullNetwork();
  // To be placed elsewhere, a network needs its constants.
  if (options.on_failure == FailurePolicy::kPlaceElsewhere ||
      static_cast<const Network&>(*network).IsOpen()) {
    return Optimize(*network, preferences, device, options);
  }
  Graph graph = static_cast<Network&>(*network).TakeGraph();
  network.reset();
  // A process that ends is given them again.
  const bool stays = MayBeIsolated(graph, preferences, device);
  graph = stays ? MakeConstantsShared(std::move(graph)) : MakeConstantsReleasable(std::move(graph));
  return PlaceGraph({graph, preferences, options}, device);
}

}  // namespace backplane
