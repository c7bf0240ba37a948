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

  void RunOne(milliseconds took) {
    now_ += took;
    contention_.NoteOneThread(took);
  }

  void Wait(milliseconds time) { now_ += time; }

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

TEST_F(ContentionTest, OneThreadIsTakenAsLongAsMuchWasLost) {
  RunOne(milliseconds(5));
  RunSeveral(milliseconds(65));
  EXPECT_TRUE(WantsOneThread());
  RunOne(milliseconds(6));
  EXPECT_TRUE(WantsOneThread());
  Wait(milliseconds(60 * Contention::kPatience - 7));
  EXPECT_TRUE(WantsOneThread());
  Wait(milliseconds(1));
  EXPECT_FALSE(WantsOneThread());
}

TEST_F(ContentionTest, WhatOneThreadTakesNowCounts) {
  RunOne(milliseconds(5));
  RunOne(milliseconds(12));
  RunSeveral(milliseconds(11));
  EXPECT_FALSE(WantsOneThread());
  RunSeveral(milliseconds(13));
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
