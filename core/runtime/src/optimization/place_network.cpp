#include "optimization/place_network.hpp"

#include "assignment/assignment_check.hpp"
#include "optimization/offer_subgraph.hpp"
#include "optimization/optimize_subgraphs.hpp"
#include "profiling/span.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace backplane {

namespace {

class Placer {
 public:
  Placer(const Graph& graph, AssignmentOrder order, BackendPool& pool,
         const OptimizerOptions& options, profiling::Recorder* recorder)
      : graph_(graph),
        order_(std::move(order)),
        pool_(pool),
        options_(options),
        recorder_(recorder) {}

  void Place(PlacedNetwork& network) {
    while (true) {
      Placement& placement = network.placement;
      placement.warnings.clear();
      placement.layers = Assign();
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

  OptimizationOutcome Offer(Placement& placement) {
    const profiling::Span phase(recorder_, ProfileEventKind::kPhase, "offer sub-graphs");
    return OptimizeSubgraphs(MakePlacedGraph(graph_, placement.layers), MakeOptimizer(placement));
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
                                         const SubgraphView& subgraph) {
      const profiling::Span phase(recorder_, ProfileEventKind::kPhase, "offer to", id);
      return OfferSubgraph(*pool_.Get(id), graph, borders, subgraph, options_.compiled_cache,
                           placement.warnings);
    };
    optimizer.takes_whole_only = [this](const std::string& id) {
      return order_.whole_only.count(id) != 0;
    };
    optimizer.reassign = [this, &placement](LayerId origin, const std::string& id) {
      const auto layer =
          std::lower_bound(placement.layers.begin(), placement.layers.end(), origin,
                           [](const LayerPlacement& a, LayerId b) { return a.layer < b; });
      ReassignLayer(graph_.layers[origin], order_, MakeAsk(),
                    "it failed the layer when it was offered the sub-graph; see the log of channel "
                    "backend." +
                        id,
                    *layer);
      return layer->backend_id;
    };
    return optimizer;
  }

  const Graph& graph_;
  AssignmentOrder order_;
  BackendPool& pool_;
  const OptimizerOptions& options_;
  profiling::Recorder* recorder_;
};

}  // namespace

void PlaceOnBackends(const Graph& graph, AssignmentOrder order, BackendPool& pool,
                     const OptimizerOptions& options, profiling::Recorder* recorder,
                     PlacedNetwork& placed) {
  Placer(graph, std::move(order), pool, options, recorder).Place(placed);
}

}  // namespace backplane
