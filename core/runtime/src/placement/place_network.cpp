#include "placement/place_network.hpp"

#include "placement/offer_subgraph.hpp"
#include "placement/optimize_subgraphs.hpp"
#include "placement/weigh_islands.hpp"
#include "profiling/span.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace backplane {

namespace {

class Placer {
 public:
  Placer(const Graph& graph, AssignmentOrder order, BackendPool& pool,
         const OptimizerOptions& options, bool is_open, profiling::Recorder* recorder)
      : graph_(graph),
        order_(std::move(order)),
        pool_(pool),
        options_(options),
        is_open_(is_open),
        recorder_(recorder) {}

  void Place(PlacedNetwork& network) {
    while (true) {
      Placement& placement = network.placement;
      placement.warnings.clear();
      placement.cache_uses.clear();
      for (const auto& [id, warning] : order_.layer_by_layer) placement.warnings.push_back(warning);
      placement.layers = Assign();
      if (options_.policy == PreferencePolicy::kWeighCrossings) GiveUpIslands(placement.layers);
      RequireAgreed(placement);
      OptimizationOutcome outcome = Offer(placement);
      if (!outcome.withdrawn) {
        RequireAgreed(placement);
        placement.subgraphs = std::move(outcome.subgraphs);
        network.placed = std::move(outcome.placed);
        return;
      }
      order_.excluded.emplace(*outcome.withdrawn,
                              "it takes a network only as a whole, but failed a part when it was "
                              "offered the sub-graphs; see the log of channel backend." +
                                  *outcome.withdrawn);
    }
  }

 private:
  std::vector<LayerPlacement> Assign() {
    const profiling::Span phase(recorder_, ProfileEventKind::kPhase, "assign layers");
    return AssignLayers(graph_, order_, MakeAsk());
  }

  void GiveUpIslands(std::vector<LayerPlacement>& layers) {
    std::map<std::string, BackendCosts> costs;
    bool has_crossings = false;
    for (const LayerPlacement& layer : layers) {
      if (layer.backend_id.empty() || costs.count(layer.backend_id) != 0) continue;
      const BackendCosts& stated = costs[layer.backend_id] = pool_.Get(layer.backend_id)->costs;
      has_crossings = has_crossings || stated.HasCrossings();
    }
    // Without costs, or without a neighbour, nothing is an island.
    if (!has_crossings || costs.size() < 2) return;
    const auto find_next = [&](LayerId layer, const std::string& id) {
      return FindNext(layer, id);
    };
    for (const CostlyIsland& island : FindCostlyIslands(graph_, layers, costs, find_next)) {
      for (const LayerId layer : island.layers) {
        ReassignLayer(graph_.layers[layer], order_, MakeAsk(), island.reason,
                      FindPlacement(layers, layer));
      }
    }
  }

  /// Who comes behind a backend in the order, says yes, and takes parts of networks.
  std::string FindNext(LayerId layer, const std::string& id) {
    const auto& ids = order_.backend_ids;
    auto next = std::find(ids.begin(), ids.end(), id);
    if (next == ids.end()) return "";
    const AskBackend ask = MakeAsk();
    while (++next != ids.end()) {
      if (order_.excluded.count(*next) != 0) continue;
      if (ask(*next, graph_.layers[layer]).is_supported && order_.whole_only.count(*next) == 0) {
        return *next;
      }
    }
    return "";
  }

  static LayerPlacement& FindPlacement(std::vector<LayerPlacement>& layers, LayerId layer) {
    return *std::lower_bound(layers.begin(), layers.end(), layer,
                             [](const LayerPlacement& a, LayerId b) { return a.layer < b; });
  }

  OptimizationOutcome Offer(Placement& placement) {
    const profiling::Span phase(recorder_, ProfileEventKind::kPhase, "offer sub-graphs");
    try {
      return OptimizeSubgraphs(MakePlacedGraph(graph_, placement.layers), MakeOptimizer(placement));
    } catch (const DiagnosticException& exception) {
      Diagnostic diagnostic = exception.GetDiagnostic();
      if (diagnostic.code != DiagnosticCode::kConstantReleased) throw;
      // What backends did before tells why.
      diagnostic.causes.insert(diagnostic.causes.end(), placement.warnings.begin(),
                               placement.warnings.end());
      throw DiagnosticException(std::move(diagnostic));
    }
  }

  AskBackend MakeAsk() {
    return [this](const std::string& id, const Layer& layer) {
      LayerAnswer answer = pool_.Ask(id, layer);
      if (answer.is_supported && pool_.TakesWholeOnly(id)) order_.whole_only.insert(id);
      return answer;
    };
  }

  void RequireAgreed(const Placement& placement) const {
    if (options_.hints == HintPolicy::kStrict) RequireHintsFollowed(graph_, placement.layers);
    RequireAllTaken(graph_, placement.layers, order_.backend_ids);
  }

  SubgraphOptimizer MakeOptimizer(Placement& placement) {
    SubgraphOptimizer optimizer;
    optimizer.offer = [this, &placement](const std::string& id, const Graph& graph,
                                         const SubgraphBorders& borders,
                                         const SubgraphView& subgraph, ConstantReleases& releases) {
      if (order_.layer_by_layer.count(id) != 0) return MakeUntouchedAnswer(id, subgraph);
      const profiling::Span phase(recorder_, ProfileEventKind::kPhase, "offer to", id);
      return OfferSubgraph(*pool_.Get(id), graph, borders, subgraph, releases,
                           options_.compiled_cache, is_open_, placement);
    };
    optimizer.takes_whole_only = [this](const std::string& id) {
      return order_.whole_only.count(id) != 0;
    };
    optimizer.reassign = [this, &placement](LayerId origin, const std::string& id) {
      LayerPlacement& layer = FindPlacement(placement.layers, origin);
      ReassignLayer(graph_.layers[origin], order_, MakeAsk(),
                    "it failed the layer when it was offered the sub-graph; see the log of channel "
                    "backend." +
                        id,
                    layer);
      return layer.backend_id;
    };
    return optimizer;
  }

  const Graph& graph_;
  AssignmentOrder order_;
  BackendPool& pool_;
  const OptimizerOptions& options_;
  const bool is_open_;
  profiling::Recorder* recorder_;
};

}  // namespace

void PlaceOnBackends(const Graph& graph, AssignmentOrder order, BackendPool& pool,
                     const OptimizerOptions& options, bool is_open, profiling::Recorder* recorder,
                     PlacedNetwork& placed) {
  Placer(graph, std::move(order), pool, options, is_open, recorder).Place(placed);
}

}  // namespace backplane
