#include "optimization/optimize_subgraphs.hpp"

#include "optimization/apply_answers.hpp"
#include "optimization/select_subgraphs.hpp"
#include "optimization/subgraph_report.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace backplane {

namespace {

std::vector<std::uint32_t> NumberOwners(const PlacedGraph& placed) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> owners;
  owners.reserve(placed.layers.size());
  for (const PlacedLayer& layer : placed.layers) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    owners.push_back(layer.is_settled ? kNoOwner
                                      : numbers.emplace(layer.backend_id, number).first->second);
  }
  return owners;
}

// Offers every sub-graph in which a layer is new. Others were offered as they are.
std::vector<SubgraphAnswer> OfferAll(const PlacedGraph& placed,
                                     const SubgraphOptimizer& optimizer) {
  const SubgraphBorders borders(placed.graph);
  ConstantReleases releases(placed.graph, borders.GetShownConstants());
  std::vector<SubgraphAnswer> answers;
  for (const auto& layers : SelectSubgraphs(placed.graph, NumberOwners(placed))) {
    const bool has_new = std::any_of(layers.begin(), layers.end(),
                                     [&](LayerId id) { return placed.layers[id].is_new; });
    if (!has_new) continue;
    const std::string& backend_id = placed.layers[layers.front()].backend_id;
    answers.push_back(
        optimizer.offer(backend_id, placed.graph, borders, borders.Describe(layers), releases));
  }
  return answers;
}

std::optional<std::string> FindWithdrawn(const std::vector<SubgraphAnswer>& answers,
                                         const SubgraphOptimizer& optimizer) {
  for (const SubgraphAnswer& answer : answers) {
    if (!answer.views.failed.empty() && optimizer.takes_whole_only(answer.backend_id)) {
      return answer.backend_id;
    }
  }
  return std::nullopt;
}

// By the layers' origins, which stay as they are when the answers are applied.
std::map<LayerId, std::string> CollectFailed(const PlacedGraph& placed,
                                             const std::vector<SubgraphAnswer>& answers) {
  std::map<LayerId, std::string> failed;
  for (const SubgraphAnswer& answer : answers) {
    for (const SubgraphView& part : answer.views.failed) {
      for (const LayerId id : part.layers) failed[placed.layers[id].origin] = answer.backend_id;
    }
  }
  return failed;
}

bool Reassign(const std::map<LayerId, std::string>& failed, const SubgraphOptimizer& optimizer,
              PlacedGraph& placed) {
  bool is_complete = true;
  for (PlacedLayer& layer : placed.layers) {
    layer.is_new = false;
    const auto found = failed.find(layer.origin);
    if (layer.origin == kNoOrigin || found == failed.end()) continue;
    layer.backend_id = optimizer.reassign(layer.origin, found->second);
    layer.is_new = true;
    is_complete = is_complete && !layer.backend_id.empty();
  }
  return is_complete;
}

}  // namespace

OptimizationOutcome OptimizeSubgraphs(PlacedGraph placed, const SubgraphOptimizer& optimizer) {
  OptimizationOutcome outcome;
  outcome.placed = std::move(placed);
  for (std::uint32_t turn = 1;; ++turn) {
    RequireConstants(outcome.placed.graph);
    const std::vector<SubgraphAnswer> answers = OfferAll(outcome.placed, optimizer);
    outcome.withdrawn = FindWithdrawn(answers, optimizer);
    if (outcome.withdrawn) return outcome;
    for (const SubgraphAnswer& answer : answers) {
      ReportAnswer(outcome.placed, answer, turn, outcome.subgraphs);
    }
    // Each turn that fails takes layers from a backend for good, so the turns come to an end.
    const std::map<LayerId, std::string> failed = CollectFailed(outcome.placed, answers);
    outcome.placed = ApplyAnswers(outcome.placed, answers);
    outcome.is_complete = Reassign(failed, optimizer, outcome.placed);
    if (!failed.empty() && outcome.is_complete) continue;
    RequireConstants(outcome.placed.graph);
    return outcome;
  }
}

}  // namespace backplane
