#include "placement/assign_layers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace backplane {

namespace {

// Backends that get nothing, with the reason.
using Excluded = std::map<std::string, std::string>;

std::vector<std::string> GetOrderForLayer(const Layer& layer,
                                          const std::vector<std::string>& backend_ids) {
  if (layer.backend_hint.empty()) return backend_ids;
  std::vector<std::string> order{layer.backend_hint};
  for (const std::string& id : backend_ids) {
    if (id != layer.backend_hint) order.push_back(id);
  }
  return order;
}

bool HasRefused(const LayerPlacement& placement, const std::string& id) {
  return std::any_of(placement.refusals.begin(), placement.refusals.end(),
                     [&](const LayerRefusal& refusal) { return refusal.backend_id == id; });
}

// Asks those that have not refused yet.
void AskInOrder(const Layer& layer, const AssignmentOrder& order, const Excluded& excluded,
                const AskBackend& ask, LayerPlacement& placement) {
  placement.backend_id.clear();
  for (const std::string& id : GetOrderForLayer(layer, order.backend_ids)) {
    if (HasRefused(placement, id)) continue;
    const auto exclusion = excluded.find(id);
    LayerAnswer answer =
        exclusion != excluded.end() ? LayerAnswer{false, exclusion->second, false} : ask(id, layer);
    if (answer.is_supported) {
      placement.backend_id = id;
      return;
    }
    placement.refusals.push_back({id, std::move(answer.reason), answer.is_of_backend});
  }
}

LayerPlacement AssignLayer(const Layer& layer, const AssignmentOrder& order,
                           const Excluded& excluded, const AskBackend& ask) {
  LayerPlacement placement;
  placement.layer = layer.id;
  placement.name = layer.name;
  placement.type = layer.type;
  placement.hint = layer.backend_hint;
  AskInOrder(layer, order, excluded, ask, placement);
  return placement;
}

std::string DescribeExclusion(const Graph& graph, const std::vector<LayerPlacement>& layers,
                              const std::string& id, std::size_t num_taken) {
  const std::string reason = "it takes a network only as a whole, but would get " +
                             std::to_string(num_taken) + " of " + std::to_string(layers.size()) +
                             " layers";
  for (const LayerPlacement& layer : layers) {
    for (const LayerRefusal& refusal : layer.refusals) {
      if (refusal.backend_id != id) continue;
      return reason + "; it refuses " + DescribeLayer(graph.layers[layer.layer]) + ": " +
             refusal.reason;
    }
  }
  return reason;
}

// The first backend, in the order in which they are asked, that would get a part only.
std::optional<std::pair<std::string, std::string>> FindPartial(
    const Graph& graph, const std::vector<LayerPlacement>& layers,
    const std::set<std::string>& whole_only) {
  std::set<std::string> seen;
  for (const LayerPlacement& layer : layers) {
    const std::string& id = layer.backend_id;
    if (whole_only.count(id) == 0 || !seen.insert(id).second) continue;
    const auto num_taken = static_cast<std::size_t>(
        std::count_if(layers.begin(), layers.end(),
                      [&](const LayerPlacement& other) { return other.backend_id == id; }));
    if (num_taken == layers.size()) continue;
    return std::make_pair(id, DescribeExclusion(graph, layers, id, num_taken));
  }
  return std::nullopt;
}

}  // namespace

std::vector<LayerPlacement> AssignLayers(const Graph& graph, const AssignmentOrder& order,
                                         const AskBackend& ask) {
  Excluded excluded = order.excluded;
  while (true) {
    std::vector<LayerPlacement> layers;
    for (const Layer& layer : graph.layers) {
      if (IsOperator(layer)) layers.push_back(AssignLayer(layer, order, excluded, ask));
    }
    auto partial = FindPartial(graph, layers, order.whole_only);
    if (!partial) return layers;
    excluded.insert(std::move(*partial));
  }
}

void ReassignLayer(const Layer& layer, const AssignmentOrder& order, const AskBackend& ask,
                   const std::string& reason, LayerPlacement& placement) {
  placement.refusals.push_back({placement.backend_id, reason, false});
  const auto ask_again = [&](const std::string& id, const Layer& asked) {
    LayerAnswer answer = ask(id, asked);
    if (answer.is_supported && order.whole_only.count(id) != 0) {
      return LayerAnswer{false, "it takes a network only as a whole", false};
    }
    return answer;
  };
  AskInOrder(layer, order, order.excluded, ask_again, placement);
}

}  // namespace backplane
