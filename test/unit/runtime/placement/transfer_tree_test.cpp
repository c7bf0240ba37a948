#include "placement/transfer_tree.hpp"

#include "transfer_check.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

using TransferTreeIndices = std::vector<std::uint32_t>;

constexpr TransferCost kFree = {0, 0, 0};
constexpr TransferCost kTransferTreeImport = {0, 0, 1};
constexpr TransferCost kTransferTreeCopy = {1, 0, 1};

constexpr TransferCost Preference(std::uint32_t rank) {
  return {0, rank, 0};
}

TransferTree FindTree(const TransferProblem& problem) {
  const std::optional<TransferTree> tree = FindCheapestTree(problem);
  EXPECT_TRUE(tree.has_value());
  if (!tree.has_value()) return {};
  ExpectTree(problem, *tree);
  return *tree;
}

TEST(TransferTree, SharesThePlaceThatTheReaderTakesToo) {
  TransferProblem problem;
  problem.num_places = 3;
  problem.arcs = {{0, 2, kTransferTreeCopy}};
  problem.roots = {{0, Preference(0)}, {1, Preference(1)}};
  problem.readers = {{{2, Preference(0)}, {1, Preference(1)}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.root, 1U);
  EXPECT_EQ(tree.arcs, TransferTreeIndices());
  EXPECT_EQ(tree.reader_places, TransferTreeIndices({1}));
  EXPECT_EQ(tree.cost, Preference(2));
}

TEST(TransferTree, GivesTwoReadersOneCopy) {
  TransferProblem problem;
  problem.num_places = 4;
  problem.arcs = {{0, 1, kTransferTreeCopy}, {0, 2, kTransferTreeCopy}, {0, 3, kTransferTreeCopy}};
  problem.roots = {{0, kFree}};
  // Each would rather have a place of its own.
  problem.readers = {{{1, Preference(0)}, {3, Preference(2)}},
                     {{2, Preference(0)}, {3, Preference(2)}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.arcs, TransferTreeIndices({2}));
  EXPECT_EQ(tree.reader_places, TransferTreeIndices({3, 3}));
  EXPECT_EQ(tree.cost, (TransferCost{1, 4, 1}));
}

TEST(TransferTree, ImportsTheCopyOfOneReaderForTheOther) {
  TransferProblem problem;
  problem.num_places = 3;
  problem.arcs = {
      {0, 1, kTransferTreeCopy}, {0, 2, kTransferTreeCopy}, {1, 2, kTransferTreeImport}};
  problem.roots = {{0, kFree}};
  problem.readers = {{{1, kFree}}, {{2, kFree}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.arcs, TransferTreeIndices({0, 2}));
  EXPECT_EQ(tree.cost, (TransferCost{1, 0, 2}));
}

TEST(TransferTree, GoesThroughAStagingPlace) {
  TransferProblem problem;
  problem.num_places = 4;
  problem.arcs = {{2, 3, kTransferTreeImport},
                  {1, 2, kTransferTreeCopy},
                  {0, 1, kTransferTreeImport},
                  {0, 3, {2, 0, 0}}};
  problem.roots = {{0, kFree}};
  problem.readers = {{{3, kFree}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.arcs, TransferTreeIndices({2, 1, 0}));
  EXPECT_EQ(tree.cost, (TransferCost{1, 0, 3}));
}

TEST(TransferTree, ChoosesTheRootForItsReaders) {
  TransferProblem problem;
  problem.num_places = 4;
  problem.arcs = {{0, 2, kTransferTreeCopy},
                  {0, 3, kTransferTreeCopy},
                  {1, 2, kTransferTreeImport},
                  {1, 3, kTransferTreeCopy}};
  problem.roots = {{0, Preference(0)}, {1, Preference(3)}};
  problem.readers = {{{2, kFree}}, {{3, kFree}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.root, 1U);
  EXPECT_EQ(tree.arcs, TransferTreeIndices({2, 3}));
  EXPECT_EQ(tree.cost, (TransferCost{1, 3, 2}));
}

TEST(TransferTree, TakesFewerMovesBeforeBetterPreferences) {
  TransferProblem problem;
  problem.num_places = 3;
  problem.arcs = {{0, 1, {2, 0, 0}}, {0, 2, {1, 0, 9}}};
  problem.roots = {{0, kFree}};
  problem.readers = {{{1, Preference(0)}, {2, Preference(7)}}};
  EXPECT_EQ(FindTree(problem).cost, (TransferCost{1, 7, 9}));
}

TEST(TransferTree, IsNotCaughtInCirclesThatCostNothing) {
  TransferProblem problem;
  problem.num_places = 5;
  problem.arcs = {{0, 0, kFree}, {0, 1, kFree}, {1, 0, kFree},
                  {1, 2, kFree}, {2, 1, kFree}, {2, 3, kTransferTreeCopy},
                  {3, 2, kFree}, {2, 4, kFree}, {4, 0, kFree}};
  problem.roots = {{1, kFree}};
  problem.readers = {{{3, kFree}}, {{4, kFree}}, {{0, kFree}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.cost, kTransferTreeCopy);
  EXPECT_EQ(tree.reader_places, TransferTreeIndices({3, 4, 0}));
}

TEST(TransferTree, ReachesNoPlaceTwiceWhenWaysMeetForNothing) {
  TransferProblem problem;
  problem.num_places = 4;
  problem.arcs = {{0, 1, kFree}, {0, 2, kFree}, {1, 3, kFree},
                  {2, 3, kFree}, {3, 1, kFree}, {3, 2, kFree}};
  problem.roots = {{0, kFree}};
  problem.readers = {{{3, kFree}}, {{1, kFree}}, {{2, kFree}}, {{3, kFree}}};
  EXPECT_EQ(FindTree(problem).arcs.size(), 3U);
}

TEST(TransferTree, IsNoneWhenAReaderIsOutOfReach) {
  TransferProblem problem;
  problem.num_places = 4;
  problem.arcs = {{0, 1, kFree}, {3, 2, kFree}};
  problem.roots = {{0, kFree}};
  problem.readers = {{{1, kFree}}, {{2, kFree}}};
  EXPECT_FALSE(FindCheapestTree(problem).has_value());
  problem.roots.push_back({3, kFree});  // reaches the second, but not the first
  EXPECT_FALSE(FindCheapestTree(problem).has_value());
  problem.arcs.push_back({3, 0, kTransferTreeCopy});
  EXPECT_EQ(FindTree(problem).root, 3U);
}

TEST(TransferTree, IsNoneWithoutRootsOrWithoutPlacesOfAReader) {
  TransferProblem problem;
  problem.num_places = 1;
  problem.readers = {{{0, kFree}}};
  EXPECT_FALSE(FindCheapestTree(problem).has_value());
  problem.roots = {{0, kFree}};
  EXPECT_TRUE(FindCheapestTree(problem).has_value());
  problem.readers.emplace_back();
  EXPECT_FALSE(FindCheapestTree(problem).has_value());
  EXPECT_FALSE(FindCheapestTree(TransferProblem()).has_value());
}

TEST(TransferTree, IsTheCheapestRootWithoutReaders) {
  TransferProblem problem;
  problem.num_places = 3;
  problem.arcs = {{0, 1, kFree}};
  problem.roots = {{0, Preference(2)}, {2, Preference(1)}, {1, Preference(1)}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.root, 1U);
  EXPECT_EQ(tree.arcs, TransferTreeIndices());
  EXPECT_EQ(tree.cost, Preference(1));
}

TEST(TransferTree, TakesSmallestIndicesWhenCostsAreEqual) {
  TransferProblem problem;
  problem.num_places = 5;
  problem.arcs = {{1, 4, kTransferTreeCopy}, {1, 3, kTransferTreeCopy}, {0, 4, kTransferTreeCopy},
                  {0, 3, kTransferTreeCopy}, {0, 3, kTransferTreeCopy}, {1, 3, kTransferTreeCopy}};
  problem.roots = {{1, kFree}, {0, kFree}};
  problem.readers = {{{4, kFree}, {3, kFree}}};
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.root, 0U);
  EXPECT_EQ(tree.reader_places, TransferTreeIndices({3}));
  EXPECT_EQ(tree.arcs, TransferTreeIndices({3}));
}

TEST(TransferTree, TakesTheLowestCostOfPlacesNamedTwice) {
  TransferProblem problem;
  problem.num_places = 2;
  problem.arcs = {{0, 1, kTransferTreeCopy}};
  problem.roots = {{0, Preference(3)}, {0, Preference(1)}, {0, Preference(2)}};
  problem.readers = {{{1, Preference(5)}, {1, Preference(4)}, {1, Preference(6)}}};
  EXPECT_EQ(FindTree(problem).cost, (TransferCost{1, 5, 1}));
}

/// A root that reaches a hub and each reader's place with a copy; the hub reaches them for nothing.
TransferProblem MakeHub(std::uint32_t num_readers) {
  TransferProblem problem;
  problem.num_places = num_readers + 2;
  problem.roots = {{0, kFree}};
  problem.arcs = {{0, 1, kTransferTreeCopy}};
  for (std::uint32_t place = 2; place < problem.num_places; ++place) {
    problem.arcs.push_back({0, place, kTransferTreeCopy});
    problem.arcs.push_back({1, place, kTransferTreeImport});
    problem.readers.push_back({{place, kFree}});
  }
  return problem;
}

TEST(TransferTree, IsExactForTheMostReaders) {
  const TransferTree tree = FindTree(MakeHub(kMaxExactReaders));
  EXPECT_EQ(tree.cost, (TransferCost{1, 0, kMaxExactReaders + 1}));
}

TEST(TransferTree, JoinsFurtherReadersToTheTreeOfTheFirst) {
  const TransferTree tree = FindTree(MakeHub(kMaxExactReaders + 5));
  EXPECT_EQ(tree.cost, (TransferCost{1, 0, kMaxExactReaders + 6}));
}

TEST(TransferTree, ChoosesARootThatReachesFurtherReadersToo) {
  TransferProblem problem = MakeHub(kMaxExactReaders + 1);
  const std::uint32_t last = problem.num_places - 1;
  problem.arcs.resize(problem.arcs.size() - 2);  // those to the last reader's place
  EXPECT_FALSE(FindCheapestTree(problem).has_value());
  problem.num_places += 1;
  problem.roots.push_back({last + 1, Preference(9)});
  problem.arcs.push_back({last + 1, 0, kTransferTreeCopy});
  problem.arcs.push_back({last + 1, last, kTransferTreeCopy});
  const TransferTree tree = FindTree(problem);
  EXPECT_EQ(tree.root, last + 1);
  EXPECT_EQ(tree.cost.moves, 3U);
}

}  // namespace
}  // namespace backplane
