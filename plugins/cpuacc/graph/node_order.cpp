#include "graph/node_order.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::size_t kNobody = ~std::size_t{0};

std::vector<std::size_t> FindMakers(const Graph& graph) {
  std::vector<std::size_t> makers(graph.tensors.size(), kNobody);
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    if (graph.nodes[index].is_removed) continue;
    for (const TensorId output : graph.nodes[index].outputs) makers[output] = index;
  }
  return makers;
}

std::vector<bool> FindNeeded(const Graph& graph, const std::vector<std::size_t>& makers) {
  std::vector<bool> is_needed(graph.nodes.size(), false);
  std::vector<TensorId> wanted = graph.outputs;
  while (!wanted.empty()) {
    const std::size_t maker = makers[wanted.back()];
    wanted.pop_back();
    if (maker == kNobody || is_needed[maker]) continue;
    is_needed[maker] = true;
    const std::vector<TensorId>& inputs = graph.nodes[maker].inputs;
    wanted.insert(wanted.end(), inputs.begin(), inputs.end());
  }
  return is_needed;
}

/// Takes nodes in their order, each after those that make its inputs.
class Sorter {
 public:
  Sorter(Graph& graph, const std::vector<std::size_t>& makers)
      : graph_(graph), makers_(makers), is_taken_(graph.nodes.size(), false) {}

  void Take(std::size_t first) {
    pending_.push_back(first);
    while (!pending_.empty()) {
      const std::size_t index = pending_.back();
      if (!is_taken_[index] && AddMissing(index)) continue;
      pending_.pop_back();
      if (is_taken_[index]) continue;
      is_taken_[index] = true;
      sorted_.push_back(std::move(graph_.nodes[index]));
    }
  }

  std::vector<Node> GetSorted() { return std::move(sorted_); }

 private:
  bool AddMissing(std::size_t index) {
    const std::size_t before = pending_.size();
    const std::vector<TensorId>& inputs = graph_.nodes[index].inputs;
    for (std::size_t input = inputs.size(); input-- > 0;) {
      const std::size_t maker = makers_[inputs[input]];
      if (maker != kNobody && !is_taken_[maker]) pending_.push_back(maker);
    }
    return pending_.size() > before;
  }

  Graph& graph_;
  const std::vector<std::size_t>& makers_;
  std::vector<bool> is_taken_;
  std::vector<std::size_t> pending_;
  std::vector<Node> sorted_;
};

}  // namespace

void CompactNodes(Graph& graph) {
  const std::vector<std::size_t> makers = FindMakers(graph);
  const std::vector<bool> is_needed = FindNeeded(graph, makers);
  Sorter sorter(graph, makers);
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    if (is_needed[index]) sorter.Take(index);
  }
  graph.nodes = sorter.GetSorted();
}

}  // namespace cpuacc
}  // namespace backplane
