#pragma once

#include "bridging/cheapest_trees.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// Joins readers to a tree, each along the cheapest path from any place of the tree.
///
/// What a place costs to reach is kept from reader to reader and only ever falls, and there are few
/// different costs, so that many readers take little longer than one.
///
/// Ownership: the problem must outlive this.
class TreeGrower {
 public:
  TreeGrower(const TransferProblem& problem, DraftedTree& draft);

  /// For a reader that can be reached from the root.
  void Join(std::uint32_t reader);

 private:
  static constexpr std::uint32_t kNoArc = 0xffffffffU;

  struct Reached {
    TransferCost cost;
    std::uint32_t arc = kNoArc;  // that leads here; none in the tree and where nothing leads
    bool is_reached = false;
  };
  struct QueuedPlace {
    TransferCost cost;
    std::uint32_t place = 0;
  };

  static bool IsBehind(const QueuedPlace& a, const QueuedPlace& b);

  void TakeIntoTree(std::uint32_t place);
  void Improve(std::uint32_t place, const TransferCost& cost, std::uint32_t arc);
  void Spread();

  const TransferProblem& problem_;
  DraftedTree& draft_;
  OutgoingArcs outgoing_;
  std::vector<Reached> reached_;    // for each place
  std::vector<QueuedPlace> queue_;  // a heap, the cheapest in front; may hold what was replaced
};

}  // namespace backplane
