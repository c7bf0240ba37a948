#pragma once

#include "network/graph.hpp"
#include "optimization/placed_example.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane::staging {

/// The graph of an example, which is given other extents again and again.
///
/// Threads: one at a time.
class ForeseenGraph {
 public:
  explicit ForeseenGraph(std::shared_ptr<const PlacedExample> example);

  /// Changes the example: `changes` has all of its numbers that become others, and the
  /// constants that are progressions. Layers of the graph may be shared; they are not changed
  /// again. Null: it would be no network. Ownership: this object's, until the next change.
  const Graph* Change(const GraphChanges& changes);

 private:
  /// An extent of the graph, and which of the numbers it is.
  struct Extent {
    std::int64_t* place = nullptr;
    std::size_t number = 0;
  };

  std::size_t Number(std::int64_t number);
  void NumberExtents(Layer& layer);
  std::int64_t Get(std::int64_t before) const;
  bool ChangeConstants(const GraphChanges& changes);
  bool ChangeDescriptor(LayerId id);
  bool IsRight(const Layer& layer) const;

  const std::shared_ptr<const PlacedExample> example_;
  Graph graph_;
  std::vector<std::int64_t> before_;  // the numbers of the example, each once
  std::vector<std::int64_t> after_;   // what they are now
  std::vector<Extent> extents_;
  std::vector<LayerId> constants_;
  std::vector<LayerId> described_;  // layers with extents in their descriptors
};

}  // namespace backplane::staging
