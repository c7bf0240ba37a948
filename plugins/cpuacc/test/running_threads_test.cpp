#include "threads/running_threads.hpp"

#include "threads/processors.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <memory>

namespace backplane {
namespace cpuacc {
namespace {

/// What runs met before is forgotten.
void RunAlone() {
  for (int run = 0; run < RunningThreads::kRunsInCompany; ++run) RunningThreads(1);
}

TEST(RunningThreads, GivesTheFirstRunWhatItWants) {
  RunAlone();
  const RunningThreads threads(CountProcessors() + 3);
  EXPECT_EQ(threads.GetCount(), CountProcessors() + 3);
}

TEST(RunningThreads, GivesOneWhenProcessorsRunOut) {
  const RunningThreads first(CountProcessors());
  const RunningThreads second(2);
  EXPECT_EQ(second.GetCount(), 1);
}

TEST(RunningThreads, ExpectsCompanyForAWhile) {
  if (CountProcessors() == 1) GTEST_SKIP() << "there is one processor";
  {
    const RunningThreads first(CountProcessors());
    const RunningThreads second(2);
  }
  for (int run = 0; run < RunningThreads::kRunsInCompany; ++run) {
    EXPECT_EQ(RunningThreads(CountProcessors()).GetCount(), 1) << run;
  }
  EXPECT_EQ(RunningThreads(CountProcessors()).GetCount(), CountProcessors());
}

TEST(RunningThreads, GivesAllAgainAfterTheOthersHaveEnded) {
  RunAlone();
  auto first = std::make_unique<RunningThreads>(CountProcessors());
  first.reset();
  const RunningThreads second(CountProcessors());
  EXPECT_EQ(second.GetCount(), CountProcessors());
}

TEST(RunningThreads, LetsRunsTogetherUseTheProcessorsThereAre) {
  RunAlone();
  const RunningThreads first(1);
  const RunningThreads second(CountProcessors() - 1);
  EXPECT_EQ(second.GetCount(), CountProcessors() - 1);
}

TEST(RunningThreads, GivesOneInsideOfAParallelLoop) {
  std::array<int, 2> counts = {};
#pragma omp parallel for num_threads(2)
  for (std::size_t index = 0; index < 2; ++index) {
    counts[index] = RunningThreads(CountProcessors() + 3).GetCount();
  }
  EXPECT_EQ(counts, (std::array<int, 2>{1, 1}));
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
