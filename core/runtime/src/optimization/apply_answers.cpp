#include "optimization/apply_answers.hpp"

#include "optimization/replaced_slots.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <utility>

namespace backplane {

namespace {

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

}  // namespace

PlacedGraph ApplyAnswers(const PlacedGraph& placed, const std::vector<SubgraphAnswer>& answers) {
  Application application(placed);
  for (const SubgraphAnswer& answer : answers) application.Add(answer);
  return application.Finish();
}

}  // namespace backplane
