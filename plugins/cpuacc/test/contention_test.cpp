#include "threads/contention.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace backplane {
namespace cpuacc {
namespace {

using std::chrono::milliseconds;

/// Runs that took so long, one after the other.
class ContentionTest : public testing::Test {
 protected:
  bool WantsOneThread() const { return contention_.WantsOneThread(now_); }

  void RunSeveral(milliseconds took, bool was_interrupted = false) {
    now_ += took;
    contention_.NoteSeveralThreads(now_, took, was_interrupted);
  }

  void Try(milliseconds took) {
    for (int run = 0; run < Contention::kRunsOfATrial; ++run) RunSeveral(took);
  }

  void RunOne(milliseconds took) {
    now_ += took;
    contention_.NoteOneThread(took);
  }

  void Wait(milliseconds time) { now_ += time; }

  void ExpectOneThreadFor(milliseconds time) {
    Wait(time - milliseconds(1));
    EXPECT_TRUE(WantsOneThread()) << time.count();
    Wait(milliseconds(1));
    EXPECT_FALSE(WantsOneThread()) << time.count();
  }

 private:
  Contention contention_;
  Contention::Time now_{std::chrono::hours(1)};
};

TEST_F(ContentionTest, RunsThatNobodyDisturbsTakeSeveralThreads) {
  EXPECT_FALSE(WantsOneThread());
  for (const int took : {90, 3, 4, 70, 3}) {
    RunSeveral(milliseconds(took));
    EXPECT_FALSE(WantsOneThread());
  }
}

TEST_F(ContentionTest, OneRunAfterAnInterruptionTellsHowLongOneThreadTakes) {
  RunSeveral(milliseconds(3), true);
  EXPECT_TRUE(WantsOneThread());
  Wait(milliseconds(100000));
  EXPECT_TRUE(WantsOneThread());
  RunOne(milliseconds(5));
  EXPECT_FALSE(WantsOneThread());
  RunSeveral(milliseconds(4), true);
  EXPECT_FALSE(WantsOneThread());
}

TEST_F(ContentionTest, RunsThatWereDisturbedChangeNothingWhenTheNextIsNot) {
  RunOne(milliseconds(5));
  for (int time = 0; time < 5; ++time) {
    for (int run = 1; run < Contention::kRunsOfATrial; ++run) RunSeveral(milliseconds(90));
    EXPECT_FALSE(WantsOneThread());
    RunSeveral(milliseconds(3));
    EXPECT_FALSE(WantsOneThread());
  }
}

TEST_F(ContentionTest, TrialsThatLoseBecomeRarer) {
  RunOne(milliseconds(5));
  for (const int patience : {2, 4, 8, 16, 32, 64, 64, 64}) {
    Try(milliseconds(500));
    ExpectOneThreadFor(milliseconds(495 * patience));
  }
  RunSeveral(milliseconds(3));
  Try(milliseconds(500));
  ExpectOneThreadFor(milliseconds(495 * 2));
}

TEST_F(ContentionTest, OneRunOfOneThreadThatWasDisturbedChangesLittle) {
  RunOne(milliseconds(5));
  RunOne(milliseconds(21));
  Try(milliseconds(7));
  EXPECT_TRUE(WantsOneThread());
}

TEST_F(ContentionTest, WhatOneThreadTakesLatelyCounts) {
  RunOne(milliseconds(5));
  for (int run = 0; run < 100; ++run) RunOne(milliseconds(12));
  for (int trial = 0; trial < 5; ++trial) Try(milliseconds(11));
  EXPECT_FALSE(WantsOneThread());
  Try(milliseconds(13));
  EXPECT_TRUE(WantsOneThread());
}

TEST(ContendedRun, KnowsOneThreadAfterARunOfOne) {
  Contention contention;
  ContendedRun several(contention);
  several.Finish(2);
  EXPECT_FALSE(contention.KnowsOneThread());
  ContendedRun one(contention);
  one.Finish(1);
  EXPECT_TRUE(contention.KnowsOneThread());
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
