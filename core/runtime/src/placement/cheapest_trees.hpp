#pragma once

#include "placement/transfer_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace backplane {

/// The arcs that lead from each place, or to each, in the order of their indices.
struct ArcsOfPlaces {
  /// `place` is TransferArc::from or TransferArc::to.
  ArcsOfPlaces(const TransferProblem& problem, std::uint32_t TransferArc::*place);

  std::vector<std::uint32_t> begins;  // for each place, and where the last one ends
  std::vector<std::uint32_t> arcs;
};

/// Places and what they cost, the cheapest in front; may hold what was replaced.
using QueuedPlace = std::pair<TransferCost, std::uint32_t>;
using PlaceQueue =
    std::priority_queue<QueuedPlace, std::vector<QueuedPlace>, std::greater<QueuedPlace>>;

/// Trees from a root, laid upon each other; an arc can be in more than one.
struct DraftedTree {
  std::uint32_t root = 0;
  std::vector<std::uint32_t> arcs;
  std::vector<std::uint32_t> reader_places;
  TransferCost ends_cost;  // of the readers' places
};

/// For the first of a problem's readers: from each place, the cheapest tree to all of them.
///
/// Ownership: the problem must outlive this.
class CheapestTrees {
 public:
  /// For at most kMaxExactReaders readers.
  CheapestTrees(const TransferProblem& problem, std::uint32_t num_readers);

  bool HasTree(std::uint32_t place) const { return IsReached(At(all_, place).cost); }

  /// Of the tree from a place; without one, more than any tree costs.
  const TransferCost& GetCost(std::uint32_t place) const { return At(all_, place).cost; }

  /// Adds the tree from a place that has one.
  void AddTo(DraftedTree& draft, std::uint32_t place) const { AddTo(draft, all_, place); }

 private:
  using Readers = std::uint32_t;  // a set, with a bit for each

  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kIsPart = std::uint32_t{1} << 31U;

  static bool IsReached(const TransferCost& cost) { return cost.moves != kNever; }

  // How a tree begins: with an arc; or, with kIsPart, with the tree to a part of the readers beside
  // that to the others; when the part is all of them, the one reader ends here.
  struct Step {
    TransferCost cost = {kNever, kNever, kNever};
    std::uint32_t arc_or_part = 0;
  };

  Step& At(Readers readers, std::uint32_t place) {
    return steps_[std::size_t{readers} * problem_.num_places + place];
  }
  const Step& At(Readers readers, std::uint32_t place) const {
    return steps_[std::size_t{readers} * problem_.num_places + place];
  }

  static std::uint32_t GetLowestReader(Readers readers) {
    return static_cast<std::uint32_t>(__builtin_ctz(readers));
  }
  void BeginAtEnds(Readers reader);
  void JoinParts(Readers readers);
  void ExtendBackwards(Readers readers);
  void ExtendBackwardsFrom(Readers readers, const QueuedPlace& reached);
  void AddTo(DraftedTree& draft, Readers readers, std::uint32_t place) const;

  const TransferProblem& problem_;
  const ArcsOfPlaces incoming_;
  const Readers all_;
  std::vector<Step> steps_;  // for each set of readers, for each place
  PlaceQueue queue_;
};

}  // namespace backplane
