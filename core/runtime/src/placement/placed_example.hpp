#pragma once

#include "graph/progression.hpp"
#include "placement/backend_pool.hpp"
#include "placement/place_network.hpp"
#include "placement/placed_graph.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// A network that was placed, after which those are placed that differ in extents alone.
struct PlacedExample {
  Graph graph;
  PlacedNetwork placed;
};

/// How a constant differs. Nothing: it was, or is, no progression.
struct ConstantChange {
  std::optional<Progression> before;
  std::optional<Progression> after;
};

/// How a graph differs from one before it.
struct GraphChanges {
  std::map<std::int64_t, std::int64_t> numbers;  // what each extent of the one before becomes
  std::map<LayerId, ConstantChange> constants;   // those with other content
};

/// An example, and how a graph differs from it.
struct PlacedLike {
  std::shared_ptr<const PlacedExample> example;  // null: there is none
  GraphChanges changes;                          // none: it was the example
  std::string refused_by;  // the last backend that could not follow an example; "": none
};

/// Which of the numbers become others. Nothing: what was compiled for them cannot be resized.
std::optional<std::vector<ExtentChange>> FindExtentChanges(
    const std::map<std::int64_t, std::int64_t>& numbers);

/// The placement of a graph that was placed like `like.example`, which has other extents. `own`:
/// what was found out about the graph itself, which is how tensors cross.
Placement MakePlacement(const PlacedLike& like, const Placement& own);

/// The stages of a network with open extents that were placed and serve as examples.
///
/// Threads: any.
class PlacedExamples {
 public:
  /// Places a graph as one was that differs from it in extents, and in constants that follow from
  /// these, alone: layers stay with their backends, and what was compiled is resized. `like`: the
  /// example to be followed, or none, and then the one that was. Nothing: there is none, or a
  /// backend cannot.
  /// Errors: as BackendPool::Ask.
  std::optional<PlacedGraph> PlaceLikeOne(const Graph& graph, BackendPool& pool, PlacedLike& like);

  /// False: others cannot follow it.
  bool Add(std::shared_ptr<const PlacedExample> example);
  void Clear();

 private:
  /// Those that may be followed, from the first to the last that was added.
  std::vector<std::shared_ptr<const PlacedExample>> Find(const PlacedLike& like);
  void Remove(const std::shared_ptr<const PlacedExample>& example);

  std::mutex mutex_;
  std::vector<std::shared_ptr<const PlacedExample>> examples_;  // the latest is the last
};

}  // namespace backplane
