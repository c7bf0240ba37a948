#include <backplane/runtime/optimize.hpp>

#include "assignment/backend_pool.hpp"
#include "bridging/transfer_errors.hpp"
#include "building/network.hpp"
#include "optimization/bridge_placed.hpp"
#include "optimization/optimized_network.hpp"
#include "optimization/place_elsewhere.hpp"
#include "optimization/place_network.hpp"
#include "placement/placed_tensors.hpp"
#include "profiling/span.hpp"
#include "staging/open_network.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/options.hpp>
#include <backplane/host/thread_places.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace backplane {

namespace {

[[noreturn]] void ThrowNullNetwork() {
  Diagnostic diagnostic{DiagnosticCode::kNullNetwork};
  diagnostic.subject.kind = SubjectKind::kNetwork;
  diagnostic.what = "Optimize was called without a network";
  diagnostic.why = "found null; expected what INetwork::Create or an importer made";
  diagnostic.fix = "give each network to Optimize once, and make it before";
  throw DiagnosticException(std::move(diagnostic));
}

void RequireOutputs(const Graph& graph) {
  if (!graph.outputs.empty()) return;
  Diagnostic diagnostic{DiagnosticCode::kNoOutputs};
  diagnostic.subject = {SubjectKind::kNetwork, graph.name};
  diagnostic.what = "network \"" + graph.name + "\" has no outputs";
  diagnostic.why = "found " + std::to_string(graph.layers.size()) +
                   " layers and no output; expected at least one output";
  diagnostic.fix = "add an output with AddOutputLayer";
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

void LogPlacement(const Placement& placement) {
  constexpr char kChannel[] = "assignment";
  if (!IsLogEnabled(kChannel, LogLevel::kDebug)) return;
  Log(kChannel, LogLevel::kDebug,
      "network \"" + placement.network + "\" is placed:\n" + ToText(placement) +
          TransfersToText(placement));
}

/// What is asked for. Borrows all.
struct Request {
  const Graph& graph;
  const std::vector<std::string>& preferences;
  const OptimizerOptions& options;
};

/// `excluded` are backends that get nothing, with the reason. With any, others that fail when they
/// are asked have refused, named or not: what counts is that the network runs.
OptimizedNetworkParts PlaceGraph(const Request& request, const DeviceSpec& device,
                                 std::map<std::string, std::string> excluded) {
  const auto& [graph, preferences, options] = request;
  const profiling::Span span(device.GetRecorder(), ProfileEventKind::kOptimize, "optimize",
                             graph.name);
  const CallScope scope([&] { return "in Optimize of network \"" + graph.name + "\""; });
  RequireOutputs(graph);
  for (const BackendOptions& group : options.model_options) {
    RequireKnownBackend(device.GetRegistry(), group.backend_id);
  }
  AssignmentOrder order = MakeOrder(graph, preferences, device);
  order.excluded = std::move(excluded);
  const std::set<std::string> named = GetNamedBackends(graph, preferences);
  BackendPool pool(device, options.model_options, graph,
                   order.excluded.empty() ? named : std::set<std::string>());
  MakeConfigured(pool, order, named, options.model_options);

  PlacedNetwork placed;
  placed.placement.network = graph.name;
  placed.placement.preferences = preferences;
  if (preferences.empty()) placed.placement.preferred = device.GetPreferredBackends();
  placed.placement.endpoints = CollectEndpoints(graph);
  placed.placement.edges = CollectEdges(graph);
  PlaceOnBackends(graph, std::move(order), pool, options, device.GetRecorder(), placed);
  OptimizedNetworkParts parts = BridgePlaced(std::move(placed), device, pool);
  RequireFewBytesCopied(parts.placement, options.max_copied_bytes);
  LogPlacement(parts.placement);
  return parts;
}

}  // namespace

std::shared_ptr<const IOptimizedNetwork> Optimize(const INetwork& network,
                                                  const std::vector<std::string>& preferences,
                                                  const DeviceSpec& device,
                                                  const OptimizerOptions& options) {
  if (auto source = static_cast<const Network&>(network).MakeSource()) {
    return std::make_shared<OpenNetwork>(std::move(source), preferences, device, options);
  }
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  OptimizedNetworkParts parts = PlaceGraph({graph, preferences, options}, device, {});
  if (options.on_failure == FailurePolicy::kPlaceElsewhere) {
    parts.source = std::make_shared<PlacementSource>(PlacementSource{graph, preferences, options});
  }
  return std::make_shared<OptimizedNetwork>(std::move(parts));
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
  const Graph graph = MakeConstantsReleasable(static_cast<Network&>(*network).TakeGraph());
  network.reset();
  return std::make_shared<OptimizedNetwork>(PlaceGraph({graph, preferences, options}, device, {}));
}

std::shared_ptr<const OptimizedNetwork> PlaceElsewhere(const OptimizedNetworkParts& parts,
                                                       const std::string& failed_backend,
                                                       const std::string& reason) {
  const PlacementSource& source = *parts.source;
  return std::make_shared<OptimizedNetwork>(
      PlaceGraph({source.graph, source.preferences, source.options}, parts.device,
                 {{failed_backend, reason}}));
}

}  // namespace backplane
