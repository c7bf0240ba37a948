#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include "placement/placed_subgraphs.hpp"

#include <nlohmann/json.hpp>

namespace backplane {

namespace {

nlohmann::ordered_json MakeHint(const LayerPlacement& layer) {
  if (layer.hint.empty()) return nullptr;
  return EscapeForDisplay(layer.hint);
}

}  // namespace

std::string ToJson(const Placement& placement) {
  auto layers = nlohmann::ordered_json::array();
  for (const LayerPlacement& layer : placement.layers) {
    auto refusals = nlohmann::ordered_json::array();
    for (const LayerRefusal& refusal : layer.refusals) {
      refusals.push_back({{"backend", EscapeForDisplay(refusal.backend_id)},
                          {"reason", EscapeForDisplay(refusal.reason)}});
    }
    layers.push_back({{"layer", EscapeForDisplay(layer.name)},
                      {"type", GetLayerTypeName(layer.type)},
                      {"backend", EscapeForDisplay(layer.backend_id)},
                      {"hint", MakeHint(layer)},
                      {"refusals", std::move(refusals)}});
  }
  return layers.dump(2);
}

std::string SubgraphsToJson(const Placement& placement) {
  auto subgraphs = nlohmann::ordered_json::array();
  for (const PlacedSubgraph& subgraph : placement.subgraphs) {
    auto replacements = nlohmann::ordered_json::array();
    for (const std::string& name : subgraph.replacements) {
      replacements.push_back(EscapeForDisplay(name));
    }
    subgraphs.push_back({{"backend", EscapeForDisplay(subgraph.backend_id)},
                         {"turn", subgraph.turn},
                         {"outcome", GetOutcomeName(subgraph.outcome)},
                         {"layers", GetLayerNames(placement, subgraph)},
                         {"replacements", std::move(replacements)}});
  }
  return subgraphs.dump(2);
}

}  // namespace backplane
