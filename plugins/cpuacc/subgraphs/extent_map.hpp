#pragma once

/// Extents of a graph, and what they become when it is resized.

#include "graph/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The numbers that change, and what each becomes.
struct ExtentMap {
  std::int64_t Get(std::int64_t number) const;

  std::unordered_map<std::int64_t, std::int64_t> numbers;
  /// A number that is not there becomes the same multiple of what one there becomes, where all of
  /// which it is a multiple lead to one. Else it stays.
  bool has_multiples = false;
};

/// The extents of a graph, and products of neighbouring ones: the extents of reshaped tensors, the
/// steps between elements, and where parts begin.
class ExtentProducts {
 public:
  explicit ExtentProducts(const Graph& graph);

  /// Adds what all of them become. Nothing: two equal numbers become different ones, so that it is
  /// not known what a number of that value stands for.
  std::optional<ExtentMap> AddTo(const ExtentMap& extents) const;

 private:
  std::vector<std::vector<std::int64_t>> products_;  // factors in ascending order, each list once
};

/// Has the passes leave computed what is other with other values of these extents.
void LeaveComputed(const std::set<std::int64_t>& extents, Graph& graph);

/// Changes the extents of one graph in place, again and again.
class GraphExtents {
 public:
  /// Borrows the graph. Its tensors and nodes stay, and so do constants.
  explicit GraphExtents(Graph& graph);

  /// Sets each extent to what `map` has for its first value. Marks the nodes that have an extent
  /// which changes, in their descriptors or their tensors.
  /// Errors: false, with the graph as it was, when a constant would change.
  bool Change(const ExtentMap& map, std::vector<bool>& changed_nodes);

 private:
  /// One number of the graph, wherever it is an extent.
  struct Number {
    std::int64_t now = 0;
    bool is_of_constant = false;
    std::vector<std::int64_t*> places;
    std::vector<std::size_t> nodes;
  };

  std::map<std::int64_t, Number> numbers_;  // by what each was first
};

}  // namespace cpuacc
}  // namespace backplane
