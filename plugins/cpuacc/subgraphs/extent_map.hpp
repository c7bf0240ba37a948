#pragma once

/// Extents of a graph, and what they become when it is resized.

#include "graph/graph.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
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

/// Products of neighbouring extents of a graph's tensors: the extents of reshaped tensors, and the
/// steps between elements.
class ExtentProducts {
 public:
  explicit ExtentProducts(const Graph& graph);

  /// Adds what the products become. Nothing: two equal numbers become different ones, so that it is
  /// not known what a number of that value stands for.
  std::optional<ExtentMap> AddTo(const ExtentMap& extents) const;

 private:
  std::vector<std::vector<std::int64_t>> products_;  // factors in ascending order, each list once
};

/// Has the passes leave computed what is other with other values of these extents.
void LeaveComputed(const std::set<std::int64_t>& extents, Graph& graph);

/// Gives all tensors and nodes their new extents.
/// Errors: false, with the graph half changed, when a tensor with content would change.
bool ChangeExtents(const ExtentMap& map, Graph& graph);

}  // namespace cpuacc
}  // namespace backplane
