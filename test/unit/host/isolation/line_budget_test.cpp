#include "isolation/line_budget.hpp"

#include <gtest/gtest.h>

namespace backplane::isolation {
namespace {

int CountTaken(LineBudget& budget, LineBudget::Time now, int num_lines) {
  int num_taken = 0;
  for (int i = 0; i < num_lines; ++i) num_taken += budget.Take(now, 10) ? 1 : 0;
  return num_taken;
}

TEST(LineBudget, TakesManyAtOnceAndThenSoManyInASecond) {
  LineBudget budget;
  const LineBudget::Time begin{std::chrono::hours(5)};
  EXPECT_EQ(CountTaken(budget, begin, 30'000), LineBudget::kMostAtOnce);
  EXPECT_EQ(CountTaken(budget, begin + std::chrono::milliseconds(500), 30'000),
            LineBudget::kMostInASecond / 2);
  EXPECT_EQ(CountTaken(budget, begin + std::chrono::hours(1), 30'000), LineBudget::kMostAtOnce);
}

TEST(LineBudget, CountsBytesToo) {
  LineBudget budget;
  const LineBudget::Time begin{std::chrono::hours(5)};
  std::int64_t num_bytes = 0;
  for (int i = 0; i < 3000; ++i) num_bytes += budget.Take(begin, 4000) ? 4000 : 0;
  EXPECT_EQ(num_bytes, LineBudget::kMostBytesAtOnce);
  for (int i = 0; i < 3000; ++i) {
    num_bytes += budget.Take(begin + std::chrono::seconds(1), 4000) ? 4000 : 0;
  }
  EXPECT_EQ(num_bytes, LineBudget::kMostBytesAtOnce + LineBudget::kMostBytesInASecond);
  EXPECT_FALSE(budget.Take(begin + std::chrono::hours(1), std::size_t{1} << 40U));
}

TEST(LineBudget, CountsWhatItLeavesOut) {
  LineBudget budget;
  const LineBudget::Time now{std::chrono::hours(5)};
  CountTaken(budget, now, static_cast<int>(LineBudget::kMostAtOnce) + 7);
  EXPECT_EQ(budget.TakeNumLeftOut(), 7U);
  EXPECT_EQ(budget.TakeNumLeftOut(), 0U);
}

}  // namespace
}  // namespace backplane::isolation
