#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {

/// What a plan costs; compared field by field, in this order.
struct TransferCost {
  std::uint32_t moves = 0;       // of all the tensor's bytes
  std::uint32_t preference = 0;  // the sum of places in the lists of preferences
  std::uint32_t work = 0;        // so that an import is better than nothing gained by one
};

inline bool operator<(const TransferCost& a, const TransferCost& b) {
  if (a.moves != b.moves) return a.moves < b.moves;
  if (a.preference != b.preference) return a.preference < b.preference;
  return a.work < b.work;
}

inline bool operator==(const TransferCost& a, const TransferCost& b) {
  return a.moves == b.moves && a.preference == b.preference && a.work == b.work;
}

inline TransferCost operator+(const TransferCost& a, const TransferCost& b) {
  return {a.moves + b.moves, a.preference + b.preference, a.work + b.work};
}

/// From one place, a tensor in a kind of memory, to another.
struct TransferArc {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  TransferCost cost;
};

/// A place, and what it costs to begin or to end there.
struct TransferPlace {
  std::uint32_t place = 0;
  TransferCost cost;
};

/// A tensor that is made in one place and read in others.
struct TransferProblem {
  std::uint32_t num_places = 0;
  std::vector<TransferArc> arcs;
  std::vector<TransferPlace> roots;                 // where it can be made
  std::vector<std::vector<TransferPlace>> readers;  // for each reader, where it can read
};

/// The answer: a tree from a root in which every reader has its place.
struct TransferTree {
  TransferCost cost;
  std::uint32_t root = 0;                    // a place
  std::vector<std::uint32_t> arcs;           // indices, each behind the one that leads to its begin
  std::vector<std::uint32_t> reader_places;  // for each reader
};

/// Finds the cheapest tree: the cost of its root, of each of its arcs once, and of each reader's
/// place. Exact for up to kMaxExactReaders readers (Dreyfus and Wagner, directed), fewer where the
/// places are very many; more are joined to the tree of the first ones, each along its cheapest
/// path. The same problem gives the same
/// tree: of roots that cost the same, that of the smallest place.
/// Null: some reader cannot be reached from any root that reaches the others.
std::optional<TransferTree> FindCheapestTree(const TransferProblem& problem);

constexpr std::uint32_t kMaxExactReaders = 10;

}  // namespace backplane
