#include "placement/transfer_tree.hpp"

#include "random_transfers.hpp"
#include "transfer_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace backplane {
namespace {

using OptionalCost = std::optional<TransferCost>;

constexpr std::uint32_t kMaxExhaustivePlaces = 10;

void Lower(OptionalCost& least, const TransferCost& cost) {
  if (!least.has_value() || cost < *least) least = cost;
}

OptionalCost AddTransferTreeRandom(const OptionalCost& a, const OptionalCost& b) {
  return a.has_value() && b.has_value() ? OptionalCost(*a + *b) : std::nullopt;
}

/// The places between roots and readers, as a set; all others can be in no pruned tree.
std::vector<bool> FindPlacesBetween(const TransferProblem& problem) {
  std::vector<bool> is_reached(problem.num_places, false);
  std::vector<bool> reaches(problem.num_places, false);
  for (const TransferPlace& root : problem.roots) is_reached[root.place] = true;
  for (const auto& reader : problem.readers) {
    for (const TransferPlace& end : reader) reaches[end.place] = true;
  }
  for (std::uint32_t round = 0; round < problem.num_places; ++round) {
    for (const TransferArc& arc : problem.arcs) {
      if (is_reached[arc.from]) is_reached[arc.to] = true;
      if (reaches[arc.to]) reaches[arc.from] = true;
    }
  }
  for (std::uint32_t i = 0; i < problem.num_places; ++i)
    is_reached[i] = is_reached[i] && reaches[i];
  return is_reached;
}

/// Tries all sets of places: the cheapest tree over exactly a set is the cheapest one over the set
/// without a leaf, and an arc to that leaf. Every reader then takes its cheapest place in the set.
class AllSets {
 public:
  AllSets(const TransferProblem& problem, const std::vector<bool>& is_between)
      : problem_(problem), numbers_(problem.num_places, 0) {
    for (std::uint32_t i = 0; i < problem.num_places; ++i) {
      if (is_between[i]) numbers_[i] = std::uint32_t{1} << num_places_++;
    }
  }

  OptionalCost FindLeastCost() {
    std::vector<OptionalCost> trees(std::size_t{1} << num_places_);
    for (const TransferPlace& root : problem_.roots) {
      if (numbers_[root.place] != 0) Lower(trees[numbers_[root.place]], root.cost);
    }
    OptionalCost least;
    for (std::uint32_t set = 1; set < trees.size(); ++set) {
      if (!trees[set].has_value()) continue;
      const OptionalCost cost = AddTransferTreeRandom(trees[set], GetReadersCost(set));
      if (cost.has_value()) Lower(least, *cost);
      for (const TransferArc& arc : problem_.arcs) {
        const std::uint32_t leaf = numbers_[arc.to];
        const bool is_grown = (set & numbers_[arc.from]) != 0 && leaf != 0 && (set & leaf) == 0;
        if (is_grown) Lower(trees[set | leaf], *trees[set] + arc.cost);
      }
    }
    return least;
  }

 private:
  OptionalCost GetReadersCost(std::uint32_t set) const {
    OptionalCost sum = TransferCost();
    for (const auto& reader : problem_.readers) {
      OptionalCost least;
      for (const TransferPlace& end : reader) {
        if ((set & numbers_[end.place]) != 0) Lower(least, end.cost);
      }
      sum = AddTransferTreeRandom(sum, least);
    }
    return sum;
  }

  const TransferProblem& problem_;
  std::vector<std::uint32_t> numbers_;  // for each place, its bit; 0 for those that are left out
  std::uint32_t num_places_ = 0;
};

/// Tries all shapes of a tree with up to three readers: the way from the root parts at one place
/// into as many ways as there are readers, or into one way and another that parts further on.
class AllShapes {
 public:
  explicit AllShapes(const TransferProblem& problem)
      : problem_(problem),
        ways_(problem.num_places, std::vector<OptionalCost>(problem.num_places)) {
    for (std::uint32_t i = 0; i < problem.num_places; ++i) ways_[i][i] = TransferCost();
    for (const TransferArc& arc : problem.arcs) Lower(ways_[arc.from][arc.to], arc.cost);
    for (std::uint32_t via = 0; via < problem.num_places; ++via) AddWaysThrough(via);
  }

  OptionalCost FindLeastCost() const {
    std::vector<Costs> readers;
    for (const auto& places : problem_.readers) readers.push_back(FromEverywhere(AsCosts(places)));
    Costs parting = readers[0];
    if (readers.size() == 2) parting = Sum(readers[0], readers[1]);
    if (readers.size() == 3) {
      parting = Sum(Sum(readers[0], readers[1]), readers[2]);
      for (std::size_t alone = 0; alone < 3; ++alone) {
        const Costs both = Sum(readers[(alone + 1) % 3], readers[(alone + 2) % 3]);
        LowerAll(parting, Sum(readers[alone], FromEverywhere(both)));
      }
    }
    OptionalCost least;
    for (const OptionalCost& cost : Sum(AsCosts(problem_.roots), FromEverywhere(parting))) {
      if (cost.has_value()) Lower(least, *cost);
    }
    return least;
  }

 private:
  using Costs = std::vector<OptionalCost>;  // for each place

  void AddWaysThrough(std::uint32_t via) {
    for (Costs& from : ways_) {
      if (!from[via].has_value()) continue;
      for (std::uint32_t to = 0; to < from.size(); ++to) {
        if (ways_[via][to].has_value()) Lower(from[to], *from[via] + *ways_[via][to]);
      }
    }
  }

  Costs AsCosts(const std::vector<TransferPlace>& places) const {
    Costs costs(problem_.num_places);
    for (const TransferPlace& place : places) Lower(costs[place.place], place.cost);
    return costs;
  }

  Costs FromEverywhere(const Costs& costs) const {
    Costs least(costs.size());
    for (std::size_t to = 0; to < costs.size(); ++to) {
      if (!costs[to].has_value()) continue;
      for (std::size_t from = 0; from < costs.size(); ++from) {
        if (ways_[from][to].has_value()) Lower(least[from], *ways_[from][to] + *costs[to]);
      }
    }
    return least;
  }

  static Costs Sum(const Costs& a, const Costs& b) {
    Costs sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) sum[i] = AddTransferTreeRandom(a[i], b[i]);
    return sum;
  }

  static void LowerAll(Costs& least, const Costs& costs) {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (costs[i].has_value()) Lower(least[i], *costs[i]);
    }
  }

  const TransferProblem& problem_;
  std::vector<Costs> ways_;  // from each place to each other
};

/// What random problems were like, so that a test cannot pass by having only simple ones.
struct Variety {
  std::uint32_t num_solved = 0;
  std::uint32_t num_unsolved = 0;
  std::uint32_t num_with_several_arcs = 0;
  std::uint32_t num_with_copies = 0;
};

void ExpectCost(const TransferProblem& problem, const OptionalCost& cost, Variety& variety) {
  const std::optional<TransferTree> tree = FindCheapestTree(problem);
  ASSERT_EQ(tree.has_value(), cost.has_value());
  if (!tree.has_value()) {
    ++variety.num_unsolved;
    return;
  }
  ++variety.num_solved;
  if (tree->arcs.size() > 2) ++variety.num_with_several_arcs;
  if (tree->cost.moves > 0) ++variety.num_with_copies;
  ExpectTree(problem, *tree);
  EXPECT_EQ(tree->cost, *cost);
}

void ExpectVariety(const Variety& variety) {
  EXPECT_GT(variety.num_solved, 500U);
  EXPECT_GT(variety.num_unsolved, 30U);
  EXPECT_GT(variety.num_with_several_arcs, 100U);
  EXPECT_GT(variety.num_with_copies, 100U);
}

TEST(TransferTreeRandom, CostsTheLeastOfAllSetsOfPlaces) {
  Variety variety;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const TransferProblem problem = RandomTransfers(seed).Make(3, 1 + seed % 4, 1 + seed / 4 % 4);
    const std::vector<bool> is_between = FindPlacesBetween(problem);
    const auto num_places = std::count(is_between.begin(), is_between.end(), true);
    if (num_places > kMaxExhaustivePlaces) continue;
    ExpectCost(problem, AllSets(problem, is_between).FindLeastCost(), variety);
    if (HasFailure()) return;
  }
  ExpectVariety(variety);
}

TEST(TransferTreeRandom, CostsTheLeastOfAllShapesOfTreesOfThreeBackends) {
  Variety variety;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const TransferProblem problem = RandomTransfers(seed).Make(3, 4, 1 + seed % 3);
    ExpectCost(problem, AllShapes(problem).FindLeastCost(), variety);
    if (HasFailure()) return;
  }
  ExpectVariety(variety);
}

TEST(TransferTreeRandom, GivesValidTreesToMoreReadersThanItIsExactFor) {
  std::uint32_t num_solved = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const TransferProblem problem = RandomTransfers(seed).Make(4, 5, kMaxExactReaders + 3);
    const std::optional<TransferTree> tree = FindCheapestTree(problem);
    if (!tree.has_value()) continue;
    ++num_solved;
    ExpectTree(problem, *tree);
  }
  EXPECT_GT(num_solved, 10U);
}

/// A few places with arcs of which most cost nothing, so that many trees cost the same.
TransferProblem MakeNearlyFree(std::uint32_t seed, std::uint32_t num_readers) {
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
  };
  TransferProblem problem;
  problem.num_places = 4 + below(8);
  problem.arcs.resize(std::size_t{problem.num_places} * (1 + below(3)));
  for (TransferArc& arc : problem.arcs) {
    arc.from = below(problem.num_places);
    arc.to = below(problem.num_places);
    arc.cost.moves = below(3) == 0 ? 1 : 0;
  }
  problem.roots = {{below(problem.num_places), {}}};
  for (std::uint32_t i = 0; i < num_readers; ++i) {
    problem.readers.push_back({{below(problem.num_places), {}}, {below(problem.num_places), {}}});
  }
  return problem;
}

TEST(TransferTreeRandom, HasNothingSuperfluousWhenManyTreesCostTheSame) {
  std::uint32_t num_solved = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const TransferProblem problem = MakeNearlyFree(seed, kMaxExactReaders + 1);
    const std::optional<TransferTree> tree = FindCheapestTree(problem);
    if (!tree.has_value()) continue;
    ++num_solved;
    ExpectTree(problem, *tree);
  }
  EXPECT_GT(num_solved, 50U);
}

TEST(TransferTreeRandom, GivesTheSameTreeForTheSameProblem) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const TransferProblem problem = RandomTransfers(seed).Make(3, 4, 3);
    const std::optional<TransferTree> tree = FindCheapestTree(problem);
    const std::optional<TransferTree> again = FindCheapestTree(TransferProblem(problem));
    ASSERT_EQ(tree.has_value(), again.has_value());
    if (!tree.has_value()) continue;
    EXPECT_EQ(tree->root, again->root);
    EXPECT_EQ(tree->arcs, again->arcs);
    EXPECT_EQ(tree->reader_places, again->reader_places);
  }
}

}  // namespace
}  // namespace backplane
