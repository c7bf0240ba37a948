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
    finder.Find();
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

}  // namespace
}  // namespace backplane
