#include "execution/overlap_finder.hpp"

#include <gtest/gtest.h>

#include <random>

namespace backplane {
namespace {

struct UsedRange {
  MemoryRange range;
  RangeUse use = RangeUse::kGivenInput;
  std::size_t binding = 0;
};

bool IsInput(RangeUse use) {
  return use == RangeUse::kGivenInput || use == RangeUse::kTakenInput;
}

bool HaveByteInCommon(const MemoryRange& a, const MemoryRange& b) {
  if (a.size_bytes == 0 || b.size_bytes == 0) return false;
  return a.file == b.file && a.begin < b.begin + b.size_bytes && b.begin < a.begin + a.size_bytes;
}

TEST(OverlapFinder, FindsWhatPairsHaveInCommon) {
  constexpr std::size_t kNumInputs = 6;
  constexpr std::size_t kNumOutputs = 7;
  OverlapFinder finder(kNumInputs, kNumOutputs);
  std::mt19937 random(1);
  for (int run = 0; run < 2000; ++run) {
    std::vector<UsedRange> given;
    for (std::size_t i = 0; i < kNumInputs + kNumOutputs; ++i) {
      const bool is_input = i < kNumInputs;
      const bool is_taken = random() % 2 != 0;
      const MemoryRange range{0, is_taken ? random() % 2 : 0, random() % 60, random() % 12};
      if (is_input) {
        given.push_back({range, is_taken ? RangeUse::kTakenInput : RangeUse::kGivenInput, i});
      } else {
        given.push_back(
            {range, is_taken ? RangeUse::kTakenOutput : RangeUse::kGivenOutput, i - kNumInputs});
      }
    }
    finder.Clear();
    for (const UsedRange& one : given) finder.Add(one.range, one.use, one.binding);
    EXPECT_TRUE(finder.Find());
    for (const UsedRange& one : given) {
      int expected = 0;
      for (const UsedRange& other : given) {
        if (&one != &other && HaveByteInCommon(one.range, other.range)) {
          expected |= ToSet(other.use);
        }
      }
      const int found =
          IsInput(one.use) ? finder.GetMetByInput(one.binding) : finder.GetMetByOutput(one.binding);
      ASSERT_EQ(found, expected) << "run " << run;
    }
  }
}

TEST(OverlapFinder, LooksAgainOnlyAtOtherMemory) {
  OverlapFinder finder(1, 2);
  const auto find = [&finder](std::uint64_t input, RangeUse use) {
    finder.Clear();
    finder.Add({0, 0, input, 8}, use, 0);
    finder.Add({0, 0, 100, 8}, RangeUse::kGivenOutput, 0);
    finder.Add({0, 0, 200, 0}, RangeUse::kGivenOutput, 1);
    return finder.Find();
  };
  EXPECT_TRUE(find(92, RangeUse::kGivenInput));
  EXPECT_EQ(finder.GetMetByOutput(0), 0);
  EXPECT_FALSE(find(92, RangeUse::kGivenInput));
  EXPECT_TRUE(find(97, RangeUse::kGivenInput));
  EXPECT_EQ(finder.GetMetByOutput(0), ToSet(RangeUse::kGivenInput));
  EXPECT_FALSE(find(97, RangeUse::kGivenInput));
  EXPECT_EQ(finder.GetMetByInput(0), ToSet(RangeUse::kGivenOutput));
  EXPECT_TRUE(find(97, RangeUse::kTakenInput));
  EXPECT_EQ(finder.GetMetByOutput(0), ToSet(RangeUse::kTakenInput));
  EXPECT_TRUE(find(92, RangeUse::kTakenInput));
  EXPECT_EQ(finder.GetMetByOutput(0), 0);
}

TEST(OverlapFinder, FindsRoomsThatAreShared) {
  const std::vector<MemoryRange> inputs = {{0, 0, 0, 10}, {0, 0, 50, 10}};
  const std::vector<MemoryRange> rooms = {
      {0, 0, 9, 1}, {0, 0, 10, 10}, {0, 0, 30, 10}, {0, 0, 39, 4}, {0, 0, 55, 0}};
  std::vector<bool> is_shared;
  for (const std::uint8_t met : FindSharedRooms(inputs, rooms)) is_shared.push_back(met != 0);
  EXPECT_EQ(is_shared, (std::vector<bool>{true, false, true, true, false}));
}

}  // namespace
}  // namespace backplane
