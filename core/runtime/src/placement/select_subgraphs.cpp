#include "placement/select_subgraphs.hpp"

#include "graph/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// The layers of a graph that are run, gathered into parts. Starts with a part for each layer;
/// merging never makes a cycle between parts. Keeps the parts in an order in which they can run,
/// and mends that order locally with each merge.
class PartGraph {
 public:
  using Part = std::uint32_t;

  /// Borrows the graph.
  explicit PartGraph(const Graph& graph);

  /// Merges the part of a layer with that of one of its readers, unless they are one already, or
  /// the merged part would need its own result.
  void TryMerge(LayerId producer, LayerId reader);

  /// The layers of each part, in rising order; the parts in an order in which they can run.
  std::vector<std::vector<LayerId>> GetParts();

 private:
  using Parts = std::vector<Part>;
  using Edges = std::vector<LayerId>;  // the layers at the other end

  Part FindRoot(Part part);
  /// Drops the edges that now lie inside the part.
  void DropInnerEdges(Part part, Edges& edges);
  /// Parts between two positions from which `to` is reached. False when `from` is one of them,
  /// which is left out, or when the search became too long.
  bool CollectBefore(Part from, Part to, Parts& found);
  void CollectBehind(Part from, std::uint32_t end, Parts& found);
  void Merge(Part from, Part to, const Parts& before);
  bool Mark(Part part);
  bool IsTooLong() const { return num_visits_ > max_visits_; }

  const Graph& graph_;
  std::vector<Part> parent_;             // by layer; of the parts merged into others
  std::vector<std::uint32_t> position_;  // of parts
  std::vector<Edges> producers_;         // of the layers of a part
  std::vector<Edges> readers_;           // of the layers of a part
  std::vector<std::uint32_t> mark_;
  std::uint32_t current_mark_ = 0;
  std::size_t num_visits_ = 0;
  std::size_t max_visits_;
};

// How many parts all searches together may visit, so that the time grows as n log n. Networks that
// people build stay far below; beyond it, parts are only left smaller than they could be.
std::size_t GetMaxVisits(std::size_t num_layers) {
  std::size_t logarithm = 1;
  while ((num_layers >> logarithm) != 0) ++logarithm;
  return 64 * (num_layers + 1) * logarithm;
}

// The order of union by size: the longer list takes over the shorter.
template <typename List>
void Append(List& to, List& from) {
  if (to.size() < from.size()) std::swap(to, from);
  to.insert(to.end(), from.begin(), from.end());
  List().swap(from);
}

PartGraph::PartGraph(const Graph& graph)
    : graph_(graph),
      parent_(graph.layers.size()),
      position_(graph.layers.size()),
      producers_(graph.layers.size()),
      readers_(graph.layers.size()),
      mark_(graph.layers.size()),
      max_visits_(GetMaxVisits(graph.layers.size())) {
  for (const Layer& layer : graph.layers) {
    parent_[layer.id] = layer.id;
    position_[layer.id] = layer.id;
    if (!IsRunByBackend(layer)) continue;
    for (const OutputSlot input : layer.inputs) {
      if (!IsRunByBackend(graph.layers[input.layer])) continue;
      producers_[layer.id].push_back(input.layer);
      readers_[input.layer].push_back(layer.id);
    }
  }
}

PartGraph::Part PartGraph::FindRoot(Part part) {
  while (parent_[part] != part) {
    parent_[part] = parent_[parent_[part]];
    part = parent_[part];
  }
  return part;
}

void PartGraph::TryMerge(LayerId producer, LayerId reader) {
  const Part from = FindRoot(producer);
  const Part to = FindRoot(reader);
  if (from == to || IsTooLong()) return;
  Parts before;
  if (CollectBefore(from, to, before)) Merge(from, to, before);
}

bool PartGraph::Mark(Part part) {
  if (mark_[part] == current_mark_) return false;
  mark_[part] = current_mark_;
  ++num_visits_;
  return true;
}

void PartGraph::DropInnerEdges(Part part, Edges& edges) {
  edges.erase(std::remove_if(edges.begin(), edges.end(),
                             [&](LayerId layer) { return FindRoot(layer) == part; }),
              edges.end());
}

bool PartGraph::CollectBefore(Part from, Part to, Parts& found) {
  ++current_mark_;
  Mark(to);
  Parts open{to};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    DropInnerEdges(part, producers_[part]);
    num_visits_ += producers_[part].size();
    if (IsTooLong()) return false;
    for (const LayerId layer : producers_[part]) {
      const Part producer = FindRoot(layer);
      if (producer == from) {
        if (part != to) return false;
        continue;
      }
      if (position_[producer] < position_[from] || !Mark(producer)) continue;
      found.push_back(producer);
      open.push_back(producer);
    }
  }
  return true;
}

void PartGraph::CollectBehind(Part from, std::uint32_t end, Parts& found) {
  ++current_mark_;
  Mark(from);
  Parts open{from};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    DropInnerEdges(part, readers_[part]);
    num_visits_ += readers_[part].size();
    for (const LayerId layer : readers_[part]) {
      const Part reader = FindRoot(layer);
      if (position_[reader] >= end || !Mark(reader)) continue;
      found.push_back(reader);
      open.push_back(reader);
    }
  }
}

// What `to` needs moves before the merged part, and what needs `from` behind it; both keep to the
// positions that they and the two had.
void PartGraph::Merge(Part from, Part to, const Parts& before) {
  std::uint32_t position = position_[from];
  if (!before.empty()) {
    Parts behind;
    CollectBehind(from, position_[to], behind);
    Parts early = before;
    const auto by_position = [&](Part a, Part b) { return position_[a] < position_[b]; };
    std::sort(early.begin(), early.end(), by_position);
    std::sort(behind.begin(), behind.end(), by_position);

    std::vector<std::uint32_t> positions{position_[from], position_[to]};
    for (const Part part : early) positions.push_back(position_[part]);
    for (const Part part : behind) positions.push_back(position_[part]);
    std::sort(positions.begin(), positions.end());
    for (std::size_t i = 0; i < early.size(); ++i) position_[early[i]] = positions[i];
    position = positions[early.size()];
    const std::size_t first_behind = positions.size() - behind.size();
    for (std::size_t i = 0; i < behind.size(); ++i) {
      position_[behind[i]] = positions[first_behind + i];
    }
  }
  parent_[to] = from;
  position_[from] = position;
  Append(producers_[from], producers_[to]);
  Append(readers_[from], readers_[to]);
}

std::vector<std::vector<LayerId>> PartGraph::GetParts() {
  std::vector<std::vector<LayerId>> by_part(graph_.layers.size());
  for (const Layer& layer : graph_.layers) {
    if (IsRunByBackend(layer)) by_part[FindRoot(layer.id)].push_back(layer.id);
  }
  Parts order;
  for (Part part = 0; part < by_part.size(); ++part) {
    if (!by_part[part].empty()) order.push_back(part);
  }
  std::sort(order.begin(), order.end(),
            [&](Part a, Part b) { return position_[a] < position_[b]; });
  std::vector<std::vector<LayerId>> parts;
  parts.reserve(order.size());
  for (const Part part : order) parts.push_back(std::move(by_part[part]));
  return parts;
}

}  // namespace

std::vector<std::vector<LayerId>> SelectSubgraphs(const Graph& graph,
                                                  const std::vector<std::uint32_t>& owners) {
  PartGraph parts(graph);
  for (const Layer& layer : graph.layers) {
    if (!IsRunByBackend(layer) || owners[layer.id] == kNoOwner) continue;
    for (const OutputSlot input : layer.inputs) {
      const Layer& producer = graph.layers[input.layer];
      if (!IsRunByBackend(producer) || owners[producer.id] != owners[layer.id]) continue;
      parts.TryMerge(producer.id, layer.id);
    }
  }
  return parts.GetParts();
}

}  // namespace backplane
