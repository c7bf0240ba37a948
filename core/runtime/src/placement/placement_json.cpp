#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include "graph/graph.hpp"
#include "placement/placed_subgraphs.hpp"
#include "placement/placed_transfers.hpp"

#include <nlohmann/json.hpp>

namespace backplane {

namespace {

using Json = nlohmann::ordered_json;

/// A backend or a factory; null for the application, for the core, and for no hint.
Json MakeName(const std::string& name) {
  if (name.empty()) return nullptr;
  return EscapeForDisplay(name);
}

Json MakeSteps(const PlacedTransfer& transfer) {
  Json steps = Json::array();
  for (const TransferStep& step : transfer.steps) {
    steps.push_back({{"strategy", GetStrategyName(step.strategy)},
                     {"from", MakeName(step.from_factory)},
                     {"to", MakeName(step.to_factory)},
                     {"backend", MakeName(step.backend_id)},
                     {"bytes", step.bytes},
                     {"shared", step.is_shared}});
  }
  return steps;
}

Json MakeTransfers(const Placement& placement) {
  Json transfers = Json::array();
  for (const PlacedTransfer& transfer : placement.transfers) {
    transfers.push_back({{"layer", GetDisplayName(transfer.layer, transfer.from)},
                         {"output", transfer.output},
                         {"tensor", EscapeForDisplay(transfer.tensor)},
                         {"from", MakeName(transfer.from_backend)},
                         {"to", MakeName(transfer.to_backend)},
                         {"factory", MakeName(transfer.factory)},
                         {"bytes", transfer.copied_bytes},
                         {"reason", EscapeForDisplay(transfer.reason)},
                         {"steps", MakeSteps(transfer)}});
  }
  return transfers;
}

Json MakeMoves(const Placement& placement) {
  Json moves = Json::array();
  for (const PlacedMove& move : placement.moves) {
    moves.push_back({{"layer", EscapeForDisplay(move.layer)},
                     {"type", GetLayerTypeName(move.type)},
                     {"backend", EscapeForDisplay(move.backend_id)},
                     {"bytes", move.bytes},
                     {"reason", EscapeForDisplay(move.reason)}});
  }
  return moves;
}

}  // namespace

std::string ToJson(const Placement& placement) {
  Json layers = Json::array();
  for (const LayerPlacement& layer : placement.layers) {
    Json refusals = Json::array();
    for (const LayerRefusal& refusal : layer.refusals) {
      refusals.push_back({{"backend", EscapeForDisplay(refusal.backend_id)},
                          {"reason", EscapeForDisplay(refusal.reason)}});
    }
    layers.push_back({{"layer", EscapeForDisplay(layer.name)},
                      {"type", GetLayerTypeName(layer.type)},
                      {"backend", EscapeForDisplay(layer.backend_id)},
                      {"hint", MakeName(layer.hint)},
                      {"refusals", std::move(refusals)}});
  }
  return layers.dump(2);
}

std::string SubgraphsToJson(const Placement& placement) {
  Json subgraphs = Json::array();
  for (const PlacedSubgraph& subgraph : placement.subgraphs) {
    Json replacements = Json::array();
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

std::string CacheUsesToJson(const Placement& placement) {
  Json uses = Json::array();
  for (const PlacedCacheUse& use : placement.cache_uses) {
    uses.push_back({{"backend", EscapeForDisplay(use.backend_id)},
                    {"layers", use.num_layers},
                    {"hits", use.num_hits},
                    {"misses", use.num_misses},
                    {"kept", use.num_kept},
                    {"hit_bytes", use.hit_bytes},
                    {"kept_bytes", use.kept_bytes},
                    {"cache_ms", use.cache_ms},
                    {"offer_ms", use.offer_ms}});
  }
  return uses.dump(2);
}

std::string TransfersToJson(const Placement& placement) {
  const Json json = {{"copied_bytes", placement.copied_bytes},
                     {"num_copies", placement.num_copies},
                     {"transfers", MakeTransfers(placement)},
                     {"moves", MakeMoves(placement)}};
  return json.dump(2);
}

}  // namespace backplane
