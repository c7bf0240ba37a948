#include "execution/run_limit.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace backplane {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

RunLimit MakeLimit(nanoseconds timeout, RunLimit::Time begin) {
  RunOptions options;
  options.timeout = timeout;
  return {options, begin};
}

TEST(RunLimit, WithoutBoundsNeverEnds) {
  const RunLimit limit({}, steady_clock::now());
  EXPECT_FALSE(limit.IsBounded());
  EXPECT_FALSE(limit.GetDeadline());
  EXPECT_EQ(limit.Check(RunLimit::Time::max() - nanoseconds(1)), RunStop::kNone);
}

TEST(RunLimit, EndsAtItsDeadline) {
  const RunLimit::Time begin = steady_clock::now();
  const RunLimit limit = MakeLimit(milliseconds(5), begin);
  EXPECT_EQ(limit.GetDeadline(), begin + milliseconds(5));
  EXPECT_EQ(limit.Check(begin + milliseconds(5) - nanoseconds(1)), RunStop::kNone);
  EXPECT_EQ(limit.Check(begin + milliseconds(5)), RunStop::kDeadline);
  EXPECT_EQ(GetStatus(RunStop::kDeadline), Status::kTimeout);
}

TEST(RunLimit, HasNoDeadlineBeyondTheClock) {
  EXPECT_FALSE(MakeLimit(nanoseconds::max(), steady_clock::now()).GetDeadline());
  EXPECT_EQ(MakeLimit(nanoseconds::min(), steady_clock::now()).Check(steady_clock::now()),
            RunStop::kDeadline);
}

TEST(RunLimit, TheDeadlineIsToldBeforeTheCancellation) {
  const CancellationSource source;
  RunOptions options;
  options.cancellation = source.GetToken();
  const RunLimit::Time begin = steady_clock::now();
  const RunLimit limit(options, begin);
  EXPECT_TRUE(limit.IsBounded());
  EXPECT_EQ(limit.Check(begin), RunStop::kNone);
  source.Cancel();
  EXPECT_EQ(limit.Check(begin), RunStop::kCancelled);
  options.deadline = begin;
  EXPECT_EQ(RunLimit(options, begin).Check(begin), RunStop::kDeadline);
}

TEST(RunLimit, LetsOneWaitInSlicesUntilTheDeadline) {
  const RunLimit::Time begin = steady_clock::now();
  const RunLimit limit = MakeLimit(milliseconds(15), begin);
  EXPECT_EQ(limit.GetWait(begin), milliseconds(10));
  EXPECT_EQ(limit.GetWait(begin + milliseconds(12)), milliseconds(3));
  EXPECT_EQ(limit.GetWait(begin + milliseconds(20)), milliseconds(0));
}

TEST(RunLimit, LooksAtTheClockExactlyNearTheDeadline) {
  const RunLimit near = MakeLimit(milliseconds(1), steady_clock::now());
  const RunLimit::Time before = steady_clock::now();
  EXPECT_GE(near.LookAtClock(), before);
  const RunLimit far = MakeLimit(std::chrono::hours(1), before);
  EXPECT_GE(far.LookAtClock(), before - milliseconds(20));
  EXPECT_LE(far.LookAtClock(), steady_clock::now());
}

}  // namespace
}  // namespace backplane
