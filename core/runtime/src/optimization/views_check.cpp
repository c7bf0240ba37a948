#include "optimization/views_check.hpp"

#include "optimization/part_check.hpp"
#include "optimization/replaced_slots.hpp"

#include <map>

namespace backplane {

namespace {

// How often each layer of the sub-graph is named; layers that are not of it are problems.
class Cover {
 public:
  Cover(const Graph& graph, const SubgraphView& subgraph, std::vector<std::string>& problems)
      : graph_(graph), problems_(problems) {
    for (const LayerId id : subgraph.layers) counts_[id] = 0;
  }

  void Count(const SubgraphView& part) {
    for (const LayerId id : part.layers) {
      const auto found = counts_.find(id);
      if (found != counts_.end()) {
        ++found->second;
      } else {
        const bool is_known = id < graph_.layers.size();
        problems_.push_back(
            "found " +
            (is_known ? DescribeLayer(graph_.layers[id]) : "layer id " + std::to_string(id)) +
            ", which is not of the sub-graph");
      }
    }
  }

  void Judge() {
    for (const auto& [id, count] : counts_) {
      if (count == 1) continue;
      problems_.push_back("found " + DescribeLayer(graph_.layers[id]) + " covered " +
                          std::to_string(count) + " times, expected once");
    }
  }

 private:
  const Graph& graph_;
  std::vector<std::string>& problems_;
  std::map<LayerId, std::uint32_t> counts_;
};

void CheckCover(const Graph& graph, const SubgraphAnswer& answer,
                std::vector<std::string>& problems) {
  Cover cover(graph, answer.subgraph, problems);
  for (const auto& substitution : answer.views.substitutions) cover.Count(substitution.original);
  for (const SubgraphView& part : answer.views.failed) cover.Count(part);
  for (const SubgraphView& part : answer.views.untouched) cover.Count(part);
  for (const SubgraphView& part : answer.views.deleted) cover.Count(part);
  cover.Judge();
}

// The layers of the sub-graph as they would be, with what they read.
std::map<LayerId, const Layer*> CollectResult(const Graph& graph, const SubgraphAnswer& answer) {
  std::map<LayerId, const Layer*> result;
  const auto keep = [&](const SubgraphView& part) {
    for (const LayerId id : part.layers) result[id] = &graph.layers[id];
  };
  for (const SubgraphView& part : answer.views.failed) keep(part);
  for (const SubgraphView& part : answer.views.untouched) keep(part);
  for (const SubgraphSubstitution& substitution : answer.views.substitutions) {
    for (const LayerId id : substitution.replacement.layers) {
      result[id] = &answer.added[id - graph.layers.size()];
    }
  }
  return result;
}

// Whether the result can be put into an order in which each layer reads earlier ones only. What
// lies outside cannot lead back: sub-graphs have no cycles between them.
bool CanBeOrdered(const Graph& graph, const SubgraphAnswer& answer) {
  const std::map<LayerId, const Layer*> result = CollectResult(graph, answer);
  ReplacedSlots replaced;
  replaced.Add(answer.views);
  std::map<LayerId, std::uint32_t> num_waiting;
  std::map<LayerId, std::vector<LayerId>> readers;
  std::vector<LayerId> ready;
  for (const auto& [id, layer] : result) {
    for (const OutputSlot input : layer->inputs) {
      const auto slot = replaced.Resolve(input);
      if (!slot) return false;
      if (result.count(slot->layer) == 0) continue;
      ++num_waiting[id];
      readers[slot->layer].push_back(id);
    }
    if (num_waiting.count(id) == 0) ready.push_back(id);
  }
  std::size_t num_ordered = 0;
  while (!ready.empty()) {
    const LayerId id = ready.back();
    ready.pop_back();
    ++num_ordered;
    for (const LayerId reader : readers[id]) {
      if (--num_waiting[reader] == 0) ready.push_back(reader);
    }
  }
  if (num_ordered != result.size()) return false;
  for (const OutputSlot output : answer.subgraph.outputs) {
    if (!replaced.Resolve(output)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> FindProblems(const Graph& graph, const SubgraphBorders& borders,
                                      const SubgraphAnswer& answer) {
  std::vector<std::string> problems;
  CheckCover(graph, answer, problems);
  if (!problems.empty()) return problems;  // the rest relies on ids that exist
  PartCheck parts(graph, borders, answer.added, problems);
  for (const auto& substitution : answer.views.substitutions) parts.CheckSubstitution(substitution);
  for (const SubgraphView& part : answer.views.deleted) parts.CheckDeleted(part);
  if (problems.empty() && !CanBeOrdered(graph, answer)) {
    problems.emplace_back(
        "found parts that would need their own results; expected parts that can run one after the "
        "other");
  }
  return problems;
}

}  // namespace backplane
