#include <backplane/host/thread_state.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <thread>

namespace backplane {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ThreadState, ThatWasNotChangedIsCurrent) {
  const ThreadState state = ThreadState::Read();
  EXPECT_TRUE(state.IsCurrent());
  EXPECT_THAT(state.Restore(), IsEmpty());
}

TEST(ThreadState, DoesNotCountWhatArithmeticSets) {
  std::feclearexcept(FE_ALL_EXCEPT);
  const ThreadState state = ThreadState::Read();
  volatile double zero = 0;
  volatile double infinity = 1 / zero;
  volatile long double third = 1.0L / 3;
  EXPECT_GT(infinity, third);
  EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0);
  EXPECT_TRUE(state.IsCurrent());
}

TEST(ThreadState, KeepsWhatArithmeticHasSet) {
  const ThreadState state = ThreadState::Read();
  std::feclearexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_UPWARD);
  std::feraiseexcept(FE_DIVBYZERO);
  EXPECT_THAT(state.Restore(), SizeIs(1));
  EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(ThreadState, TellsEachRoundingByName) {
  struct Row {
    int mode;
    const char* name;
  };
  const Row rows[] = {
      {FE_UPWARD, "upward"}, {FE_DOWNWARD, "downward"}, {FE_TOWARDZERO, "toward zero"}};
  for (const Row& row : rows) {
    const ThreadState state = ThreadState::Read();
    std::fesetround(row.mode);
    const auto changes = state.Restore();
    ASSERT_THAT(changes, SizeIs(1));
    EXPECT_EQ(changes[0].part, ThreadStatePart::kRounding);
    EXPECT_EQ(changes[0].before, "to nearest");
    EXPECT_EQ(changes[0].after, row.name);
  }
}

TEST(ThreadState, TellsAllThatWasChangedAtOnce) {
  const ThreadState state = ThreadState::Read();
  std::fesetround(FE_DOWNWARD);
  feenableexcept(FE_DIVBYZERO | FE_OVERFLOW);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  EXPECT_FALSE(state.IsCurrent());
  const auto changes = state.Restore();
  ASSERT_THAT(changes, SizeIs(3));
  EXPECT_EQ(changes[1].part, ThreadStatePart::kTraps);
  EXPECT_EQ(changes[1].before, "none");
  EXPECT_EQ(changes[1].after, "division by zero, overflow");
  EXPECT_EQ(changes[2].part, ThreadStatePart::kBlockedSignals);
  EXPECT_EQ(changes[2].after, "SIGUSR1, SIGTERM");
  EXPECT_TRUE(state.IsCurrent());
}

TEST(ThreadState, OfOneThreadIsNotThatOfAnother) {
  const ThreadState state = ThreadState::Read();
  std::thread([] { std::fesetround(FE_UPWARD); }).join();
  EXPECT_TRUE(state.IsCurrent());
}

TEST(ThreadState, TellsTheLocaleOfTheThread) {
  const ThreadState state = ThreadState::Read();
  const locale_t own = newlocale(LC_ALL_MASK, "C", nullptr);
  uselocale(own);
  const auto changes = state.Restore();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].part, ThreadStatePart::kLocale);
  EXPECT_EQ(uselocale(locale_t{}), LC_GLOBAL_LOCALE);
  freelocale(own);
}

TEST(ThreadState, PutsTrapsBackThatDoNotSpringForWhatHasBeen) {
  feenableexcept(FE_DIVBYZERO);
  const ThreadState state = ThreadState::Read();
  fedisableexcept(FE_DIVBYZERO);
  volatile long double zero = 0;
  volatile long double infinity = 1 / zero;
  EXPECT_THAT(state.Restore(), SizeIs(1));
  EXPECT_EQ(fegetexcept(), FE_DIVBYZERO);
  volatile long double more = infinity + 1;
  EXPECT_EQ(more, infinity);
  fedisableexcept(FE_DIVBYZERO);
}

#if defined(__x86_64__)
TEST(ThreadState, TellsHowDenormalsAreFlushed) {
  struct Row {
    unsigned bits;
    const char* name;
  };
  const Row rows[] = {{0x8040, "flushed to zero"},
                      {0x8000, "flushed to zero as results"},
                      {0x0040, "taken for zero as operands"}};
  for (const Row& row : rows) {
    const ThreadState state = ThreadState::Read();
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | row.bits);
    const auto changes = state.Restore();
    ASSERT_THAT(changes, SizeIs(1));
    EXPECT_EQ(changes[0].part, ThreadStatePart::kDenormals);
    EXPECT_EQ(changes[0].before, "kept");
    EXPECT_EQ(changes[0].after, row.name);
    EXPECT_TRUE(state.IsCurrent());
  }
}

// fegetround looks at the other unit.
TEST(ThreadState, TellsTheRoundingOfEachUnit) {
  const ThreadState state = ThreadState::Read();
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x6000U);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  const auto changes = state.Restore();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].after, "toward zero, of long double to nearest");
  EXPECT_TRUE(state.IsCurrent());
}

TEST(ThreadState, TellsThePrecisionOfLongDouble) {
  const ThreadState state = ThreadState::Read();
  const std::uint16_t to_double = 0x027f;
  asm volatile("fldcw %0" : : "m"(to_double));
  const auto changes = state.Restore();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].part, ThreadStatePart::kPrecision);
  EXPECT_EQ(changes[0].before, "extended");
  EXPECT_EQ(changes[0].after, "double");
  EXPECT_TRUE(state.IsCurrent());
}
#endif

}  // namespace
}  // namespace backplane
