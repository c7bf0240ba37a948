#include <backplane/runtime/optimize.hpp>

#include "assignment/assign_layers.hpp"
#include "assignment/assignment_check.hpp"
#include "assignment/backend_pool.hpp"
#include "assignment/optimized_network.hpp"
#include "network/network.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/options.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {

namespace {

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

AssignmentOrder MakeOrder(const Graph& graph, const std::vector<std::string>& preferences,
                          const DeviceSpec& device) {
  AssignmentOrder order;
  const BackendRegistry& registry = device.GetRegistry();
  for (const std::string& id : preferences.empty() ? device.GetBackendIdsByRank() : preferences) {
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
      "network \"" + placement.network + "\" is placed:\n" + ToText(placement));
}

std::shared_ptr<const IOptimizedNetwork> ApplyPlacement(const Graph& graph, Placement placement,
                                                        const DeviceSpec& device,
                                                        const BackendPool& pool) {
  OptimizedNetworkParts parts;
  parts.device = device;
  parts.graph = graph;
  parts.backend_of_layer.resize(graph.layers.size());
  for (const LayerPlacement& layer : placement.layers) {
    auto& backends = parts.backends;
    auto used = std::find_if(backends.begin(), backends.end(),
                             [&](const auto& backend) { return backend->id == layer.backend_id; });
    if (used == backends.end()) used = backends.insert(used, pool.Get(layer.backend_id));
    parts.backend_of_layer[layer.layer] = static_cast<std::uint32_t>(used - backends.begin());
  }
  parts.placement = std::move(placement);
  return std::make_shared<OptimizedNetwork>(std::move(parts));
}

}  // namespace

std::shared_ptr<const IOptimizedNetwork> Optimize(const INetwork& network,
                                                  const std::vector<std::string>& preferences,
                                                  const DeviceSpec& device,
                                                  const OptimizerOptions& options) {
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  RequireOutputs(graph);
  for (const BackendOptions& group : options.model_options) {
    RequireKnownBackend(device.GetRegistry(), group.backend_id);
  }
  AssignmentOrder order = MakeOrder(graph, preferences, device);
  const std::set<std::string> named = GetNamedBackends(graph, preferences);
  BackendPool pool(device, options.model_options, graph, named);
  MakeConfigured(pool, order, named, options.model_options);

  Placement placement;
  placement.network = graph.name;
  placement.preferences = preferences;
  placement.layers = AssignLayers(graph, order, [&](const std::string& id, const Layer& layer) {
    LayerAnswer answer = pool.Ask(id, layer);
    if (answer.is_supported && pool.TakesWholeOnly(id)) order.whole_only.insert(id);
    return answer;
  });
  if (options.hints == HintPolicy::kStrict) RequireHintsFollowed(graph, placement.layers);
  RequireAllTaken(graph, placement.layers, order.backend_ids);
  LogPlacement(placement);
  return ApplyPlacement(graph, std::move(placement), device, pool);
}

}  // namespace backplane
