#pragma once

#include "placement/transfer_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace backplane {

inline std::ostream& operator<<(std::ostream& stream, const TransferCost& cost) {
  return stream << "{" << cost.moves << ", " << cost.preference << ", " << cost.work << "}";
}

/// The cost of a place in a list, the least when it is there several times.
inline TransferCost CostIn(const std::vector<TransferPlace>& list, std::uint32_t place) {
  const TransferPlace* best = nullptr;
  for (const TransferPlace& entry : list) {
    if (entry.place == place && (best == nullptr || entry.cost < best->cost)) best = &entry;
  }
  EXPECT_NE(best, nullptr) << "place " << place << " is not in the list";
  return best == nullptr ? TransferCost() : best->cost;
}

/// Expects a tree from a root to the readers' places, with nothing superfluous, of its own cost.
inline void ExpectTree(const TransferProblem& problem, const TransferTree& tree) {
  TransferCost cost = CostIn(problem.roots, tree.root);
  std::vector<bool> is_reached(problem.num_places, false);
  std::vector<bool> is_used(problem.num_places, false);
  is_reached[tree.root] = true;
  for (const std::uint32_t index : tree.arcs) {
    const TransferArc& arc = problem.arcs.at(index);
    EXPECT_TRUE(is_reached[arc.from]) << "arc " << index << " begins where nothing has led to";
    EXPECT_FALSE(is_reached[arc.to]) << "place " << arc.to << " is reached twice";
    is_reached[arc.to] = true;
    is_used[arc.from] = true;
    cost = cost + arc.cost;
  }
  ASSERT_EQ(tree.reader_places.size(), problem.readers.size());
  for (std::size_t i = 0; i < problem.readers.size(); ++i) {
    const std::uint32_t place = tree.reader_places[i];
    EXPECT_TRUE(is_reached[place]) << "reader " << i;
    is_used[place] = true;
    cost = cost + CostIn(problem.readers[i], place);
  }
  for (const std::uint32_t index : tree.arcs) {
    EXPECT_TRUE(is_used[problem.arcs[index].to]) << "arc " << index << " leads to no reader";
  }
  EXPECT_EQ(tree.cost, cost);
}

}  // namespace backplane
