#pragma once

#include "assignment/backend_pool.hpp"
#include "optimization/place_network.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace backplane {

/// A network that was placed, after which those are placed that differ in extents alone.
struct PlacedExample {
  Graph graph;
  PlacedNetwork placed;
};

/// The stages of a network with open extents that were placed and serve as examples.
///
/// Threads: any.
class PlacedExamples {
 public:
  /// Places a graph as one was that differs from it in extents, and in constants that follow from
  /// these, alone: layers stay with their backends, and what was compiled is resized. Nothing:
  /// there is none, or a backend cannot.
  /// Errors: as BackendPool::Ask.
  std::optional<PlacedNetwork> PlaceLikeOne(const Graph& graph, BackendPool& pool);

  void Add(std::shared_ptr<const PlacedExample> example);
  void Clear();

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const PlacedExample>> examples_;  // the latest is the last
};

}  // namespace backplane
