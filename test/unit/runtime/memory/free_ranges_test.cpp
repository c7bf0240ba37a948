#include "memory/free_ranges.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

TEST(FreeRanges, GrowsWhenNothingFits) {
  FreeRanges ranges;
  EXPECT_EQ(ranges.Take(64), 0U);
  EXPECT_EQ(ranges.Take(128), 64U);
  ranges.GiveBack(0, 64);
  EXPECT_EQ(ranges.Take(128), 192U);
}

TEST(FreeRanges, TakesTheSmallestThatFits) {
  FreeRanges ranges;
  ranges.Take(256);
  ranges.Take(64);
  ranges.Take(128);
  ranges.Take(64);
  ranges.GiveBack(0, 256);
  ranges.GiveBack(320, 128);
  EXPECT_EQ(ranges.Take(128), 320U);
  EXPECT_EQ(ranges.Take(64), 0U);
  EXPECT_EQ(ranges.Take(192), 64U);
}

TEST(FreeRanges, JoinsNeighboursOnBothSides) {
  FreeRanges ranges;
  for (int i = 0; i < 4; ++i) ranges.Take(64);
  ranges.GiveBack(0, 64);
  ranges.GiveBack(128, 64);
  ranges.GiveBack(64, 64);
  EXPECT_EQ(ranges.Take(192), 0U);
}

TEST(FreeRanges, ShrinksAtTheEnd) {
  FreeRanges ranges;
  ranges.Take(64);
  ranges.Take(64);
  ranges.GiveBack(0, 64);
  ranges.GiveBack(64, 64);
  EXPECT_EQ(ranges.Take(1024), 0U);
}

}  // namespace
}  // namespace backplane
