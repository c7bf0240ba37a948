#include "profiling/run_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::profiling {
namespace {

constexpr std::size_t kManyEvents = 100;

/// "layer 0 from 10 to 20", in the order in which they were recorded.
std::vector<std::string> GetRecords(const RunBuffer& buffer) {
  std::vector<std::string> records;
  buffer.Read(
      [&](const RunBuffer::Record& record) {
        records.push_back(std::string(GetProfileEventKindName(record.kind)) + " " +
                          std::to_string(record.index) + " from " +
                          std::to_string(record.begin_ns) + " to " + std::to_string(record.end_ns));
      },
      [](std::size_t /*step*/, const StepTotal& /*total*/) {});
  return records;
}

std::vector<std::uint64_t> GetTotals(const RunBuffer& buffer) {
  std::vector<std::uint64_t> totals;
  buffer.Read(
      [](const RunBuffer::Record& /*record*/) {},
      [&](std::size_t /*step*/, const StepTotal& total) { totals.push_back(total.total_ns); });
  return totals;
}

using Records = std::vector<std::string>;
using Totals = std::vector<std::uint64_t>;

// The second step waits for the first, and the run at its end for the third.
TEST(RunBuffer, WaitsCountForTheStepWhoseWorkIsWaitedFor) {
  RunBuffer buffer(3, kManyEvents);
  buffer.GetTimes().steps = {10, 20, 70, 80};
  buffer.GetTimes().waits = {{21, 61}, {}, {81, 181}};
  buffer.TakeOver(5, 190, 3, false);
  EXPECT_EQ(GetRecords(buffer),
            (Records{"run 0 from 5 to 190", "copy 0 from 5 to 10", "layer 0 from 10 to 20",
                     "layer 1 from 20 to 70", "layer 2 from 70 to 80", "wait 0 from 21 to 61",
                     "wait 2 from 81 to 181", "copy 1 from 181 to 190"}));
  EXPECT_EQ(GetTotals(buffer), (Totals{50, 10, 110}));
}

TEST(RunBuffer, WhatFailedCountsForNothing) {
  RunBuffer buffer(3, kManyEvents);
  buffer.GetTimes().steps = {10, 20, 70, 80};
  buffer.GetTimes().waits = {{21, 61}, {75, 79}, {}};
  buffer.TakeOver(5, 190, 2, true);
  EXPECT_EQ(GetTotals(buffer), (Totals{50, 0, 0}));
}

TEST(RunBuffer, ClocksThatStandStillTakeNothingAway) {
  RunBuffer buffer(2, kManyEvents);
  buffer.GetTimes().steps = {10, 10, 10};
  buffer.GetTimes().waits = {{10, 10}, {9, 30}};
  buffer.TakeOver(10, 30, 2, false);
  EXPECT_EQ(GetTotals(buffer), (Totals{0, 21}));
}

}  // namespace
}  // namespace backplane::profiling
