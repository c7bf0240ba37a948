#include "placement/optimize_subgraphs.hpp"

#include "placement/placed_graph.hpp"
#include "placement/replaced_slots.hpp"
#include "placement/select_subgraphs.hpp"
#include "placement/subgraph_answer.hpp"

#include <backplane/runtime/placement.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace backplane {
namespace {

// Adds what became of each part of an offered sub-graph, in the ids of the application's network.
// `placed` is the graph that was offered.
void ReportAnswer(const PlacedGraph& placed, const SubgraphAnswer& answer, std::uint32_t turn,
                  std::vector<PlacedSubgraph>& report) {
  const auto add = [&](const SubgraphView& part, SubgraphOutcome outcome) -> PlacedSubgraph& {
    PlacedSubgraph entry;
    entry.backend_id = answer.backend_id;
    entry.turn = turn;
    entry.outcome = outcome;
    for (const LayerId id : part.layers) entry.layers.push_back(placed.layers[id].origin);
    report.push_back(std::move(entry));
    return report.back();
  };
  for (const SubgraphSubstitution& substitution : answer.views.substitutions) {
    PlacedSubgraph& entry = add(substitution.original, SubgraphOutcome::kReplaced);
    for (const LayerId id : substitution.replacement.layers) {
      const Layer& layer = answer.added[id - placed.graph.layers.size()];
      if (IsRunByBackend(layer)) entry.replacements.push_back(layer.name);
    }
  }
  for (const SubgraphView& part : answer.views.untouched) add(part, SubgraphOutcome::kUntouched);
  for (const SubgraphView& part : answer.views.deleted) add(part, SubgraphOutcome::kDeleted);
  for (const SubgraphView& part : answer.views.failed) add(part, SubgraphOutcome::kFailed);
}

// A layer on its way from the old graph to the new one. Nodes are numbered: first the layers of the
// old graph, then what each answer added.
struct Node {
  Layer layer;  // inputs are node numbers
  PlacedLayer placed;
  std::uint32_t key = 0;  // nodes that could run at the same time run in this order
  bool is_kept = false;
};

class Application {
 public:
  explicit Application(const PlacedGraph& placed) : old_(placed) {
    for (const Layer& layer : placed.graph.layers) {
      nodes_.push_back({layer, placed.layers[layer.id], layer.id, true});
    }
  }

  void Add(const SubgraphAnswer& given) {
    const SubgraphAnswer answer = Renumber(given);
    for (const Layer& layer : answer.added) nodes_.push_back({layer, {}, 0, false});
    for (const SubgraphSubstitution& substitution : answer.views.substitutions) {
      Remove(substitution.original);
      KeepReplacement(substitution, answer.backend_id);
    }
    for (const SubgraphView& part : answer.views.deleted) Remove(part);
    replaced_.Add(answer.views);
  }

  PlacedGraph Finish() {
    for (Node& node : nodes_) {
      // Answers were checked: every slot leads somewhere.
      for (OutputSlot& input : node.layer.inputs) input = *replaced_.Resolve(input);
    }
    KeepConstantsThatAreRead();
    return Build(FindOrder());
  }

 private:
  // Moves the ids of added layers behind those of earlier answers.
  SubgraphAnswer Renumber(SubgraphAnswer answer) const {
    const auto first = static_cast<LayerId>(old_.graph.layers.size());
    const auto shift = static_cast<LayerId>(nodes_.size()) - first;
    const auto move_id = [&](LayerId& id) { id += id >= first ? shift : 0; };
    for (Layer& layer : answer.added) {
      move_id(layer.id);
      for (OutputSlot& input : layer.inputs) move_id(input.layer);
    }
    for (SubgraphSubstitution& substitution : answer.views.substitutions) {
      for (LayerId& id : substitution.replacement.layers) move_id(id);
      for (OutputSlot& output : substitution.replacement.outputs) move_id(output.layer);
    }
    return answer;
  }

  void Remove(const SubgraphView& part) {
    for (const LayerId id : part.layers) nodes_[id].is_kept = false;
  }

  // A replacement runs where the last layer that it stands for would have run.
  void KeepReplacement(const SubgraphSubstitution& substitution, const std::string& backend_id) {
    const auto& originals = substitution.original.layers;
    const LayerId last = *std::max_element(originals.begin(), originals.end());
    for (const LayerId id : substitution.replacement.layers) {
      Node& node = nodes_[id];
      node.is_kept = true;
      node.key = last;
      node.placed.backend_id = IsRunByBackend(node.layer) ? backend_id : std::string();
      node.placed.is_settled = true;
      for (const LayerId original : originals) {
        node.placed.stands_for.push_back(old_.layers[original].origin);
      }
      node.placed.output_origins.assign(node.layer.outputs.size(), {kNoOrigin, 0});
    }
    KeepOrigins(substitution);
  }

  // A part may give on what it gets: then there is nothing of its own.
  void KeepOrigins(const SubgraphSubstitution& substitution) {
    const std::set<LayerId> made(substitution.replacement.layers.begin(),
                                 substitution.replacement.layers.end());
    for (std::size_t i = 0; i < substitution.replacement.outputs.size(); ++i) {
      const OutputSlot slot = substitution.replacement.outputs[i];
      if (made.count(slot.layer) == 0) continue;
      const OutputSlot original = substitution.original.outputs[i];
      nodes_[slot.layer].placed.output_origins[slot.index] =
          nodes_[original.layer].placed.output_origins[original.index];
    }
  }

  void KeepConstantsThatAreRead() {
    for (Node& node : nodes_) {
      if (node.layer.type == LayerType::kConstant) node.is_kept = false;
    }
    for (const Node& node : nodes_) {
      if (!node.is_kept) continue;
      for (const OutputSlot input : node.layer.inputs) {
        Node& producer = nodes_[input.layer];
        if (producer.layer.type == LayerType::kConstant) producer.is_kept = true;
      }
    }
  }

  std::vector<LayerId> FindOrder() const {
    std::vector<std::uint32_t> num_waiting(nodes_.size());
    std::vector<std::vector<LayerId>> readers(nodes_.size());
    using Candidate = std::pair<std::uint32_t, LayerId>;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready;
    for (LayerId id = 0; id < nodes_.size(); ++id) {
      if (!nodes_[id].is_kept) continue;
      for (const OutputSlot input : nodes_[id].layer.inputs) readers[input.layer].push_back(id);
      num_waiting[id] = static_cast<std::uint32_t>(nodes_[id].layer.inputs.size());
      if (num_waiting[id] == 0) ready.emplace(nodes_[id].key, id);
    }
    std::vector<LayerId> order;
    while (!ready.empty()) {
      const LayerId id = ready.top().second;
      ready.pop();
      order.push_back(id);
      for (const LayerId reader : readers[id]) {
        if (--num_waiting[reader] == 0) ready.emplace(nodes_[reader].key, reader);
      }
    }
    return order;
  }

  PlacedGraph Build(const std::vector<LayerId>& order) {
    std::vector<LayerId> new_id(nodes_.size());
    PlacedGraph result;
    result.graph.name = old_.graph.name;
    for (const LayerId id : order) {
      new_id[id] = static_cast<LayerId>(result.graph.layers.size());
      Layer layer = std::move(nodes_[id].layer);
      layer.id = new_id[id];
      for (OutputSlot& input : layer.inputs) input.layer = new_id[input.layer];
      result.graph.layers.push_back(std::move(layer));
      result.layers.push_back(std::move(nodes_[id].placed));
    }
    for (const LayerId input : old_.graph.inputs) result.graph.inputs.push_back(new_id[input]);
    for (const LayerId output : old_.graph.outputs) result.graph.outputs.push_back(new_id[output]);
    return result;
  }

  const PlacedGraph& old_;
  std::vector<Node> nodes_;
  ReplacedSlots replaced_;
};

// Puts the answers to all sub-graphs of a graph into effect: replaced and deleted layers go,
// replacement layers come, constants that nobody reads any more go too. The order of the layers
// changes only where it must; equal input gives an equal graph.
PlacedGraph ApplyAnswers(const PlacedGraph& placed, const std::vector<SubgraphAnswer>& answers) {
  Application application(placed);
  for (const SubgraphAnswer& answer : answers) application.Add(answer);
  return application.Finish();
}

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
