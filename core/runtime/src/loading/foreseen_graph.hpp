#pragma once

#include "graph/graph.hpp"
#include "placement/placed_example.hpp"

#include <backplane/runtime/stage_value.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace backplane::loading {

/// The graph of an example, which is given other extents again and again.
///
/// Threads: one at a time.
class ForeseenGraph {
 public:
  explicit ForeseenGraph(std::shared_ptr<const PlacedExample> example);

  /// Changes the example: `changes` has all of its numbers that become others, and the
  /// constants that are progressions, `recalculated` other constants, of which it gets those with
  /// other content. Layers of the graph may be shared; they are not changed again.
  /// Null: it would be no network. Ownership: this object's, until the next change.
  const Graph* Change(GraphChanges& changes, const std::map<LayerId, StageValue>& recalculated);

 private:
  /// A number of the example, wherever it is an extent of the graph.
  struct Number {
    std::int64_t now = 0;
    std::vector<std::int64_t*> places;
    std::vector<LayerId> described;  // layers with extents in their descriptors, of which one is
                                     // this, or one of a tensor
  };

  void NoteExtents();
  void NoteDescribed(const Layer& layer);
  bool ChangeConstants(GraphChanges& changes, const std::map<LayerId, StageValue>& recalculated);
  bool ChangeDescriptor(LayerId id);
  bool IsRight(const Layer& layer) const;

  const std::shared_ptr<const PlacedExample> example_;
  Graph graph_;
  std::map<std::int64_t, Number> numbers_;  // by what each is in the example
  std::vector<LayerId> constants_;
  std::set<LayerId> unchanged_;  // layers with descriptors that are not yet what they should be
};

}  // namespace backplane::loading
