#include "compile/memory_plan.hpp"

#include "test/run_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

TEST(MemoryPlan, PutsPiecesThatAreNeverThereTogetherInTheSamePlace) {
  const MemoryPlan plan = PlanMemory({{256, 0, 1}, {256, 2, 3}, {256, 4, 4}});
  EXPECT_EQ(plan.size_bytes, 256U);
  EXPECT_EQ(plan.offsets, (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST(MemoryPlan, KeepsApartWhatTouchesInOneStep) {
  const MemoryPlan plan = PlanMemory({{64, 0, 1}, {64, 1, 2}});
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
  EXPECT_EQ(plan.size_bytes, 128U);
}

TEST(MemoryPlan, FillsTheFirstGapThatIsLargeEnough) {
  const MemoryPlan plan = PlanMemory({{1024, 0, 2}, {512, 0, 0}, {256, 1, 2}, {128, 1, 1}});
  EXPECT_EQ(plan.offsets, (std::vector<std::uint64_t>{0, 1024, 1024, 1280}));
  EXPECT_EQ(plan.size_bytes, 1536U);
}

TEST(MemoryPlan, RoundsToCacheLines) {
  const MemoryPlan plan = PlanMemory({{1, 0, 1}, {65, 0, 1}, {0, 0, 1}});
  for (const std::uint64_t offset : plan.offsets) EXPECT_EQ(offset % 64, 0U);
  EXPECT_EQ(plan.size_bytes, 192U);
}

TEST(MemoryPlan, OfNothingIsEmpty) {
  EXPECT_EQ(PlanMemory({}).size_bytes, 0U);
}

TEST(MemoryPlan, NeverOverlapsWhatIsThereTogether) {
  conformance::Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> lifetimes;
    for (int piece = 0; piece < 20; ++piece) {
      const std::uint32_t first = random.Word(0, 15);
      lifetimes.push_back({random.Word(0, 4000), first, first + random.Word(0, 5)});
    }
    const MemoryPlan plan = PlanMemory(lifetimes);
    for (std::size_t a = 0; a < lifetimes.size(); ++a) {
      ASSERT_LE(plan.offsets[a] + lifetimes[a].size_bytes, plan.size_bytes);
      for (std::size_t b = 0; b < a; ++b) {
        const bool meet =
            lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
        const bool overlap = plan.offsets[a] < plan.offsets[b] + lifetimes[b].size_bytes &&
                             plan.offsets[b] < plan.offsets[a] + lifetimes[a].size_bytes;
        ASSERT_FALSE(meet && overlap) << "pieces " << a << " and " << b;
      }
    }
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
