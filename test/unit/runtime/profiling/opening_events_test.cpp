#include "profiling/opening_events.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace backplane::profiling {
namespace {

using std::chrono::nanoseconds;

StageSpan MakeSpan(int begin, int end) {
  using std::chrono::steady_clock;
  return {steady_clock::time_point(nanoseconds(begin)), steady_clock::time_point(nanoseconds(end))};
}

TEST(OpeningEvents, AreTheStagesThatRanInThisProcess) {
  Candidate opened;
  opened.path = "/backends/Acme_Npu_backend.so";
  opened.stages = {{Stage::kFormat, nanoseconds(5), false},
                   {Stage::kOpen, nanoseconds(7), false, {MakeSpan(100, 107)}},
                   {Stage::kIdentify, nanoseconds(9), true, {MakeSpan(110, 119)}}};
  Candidate inspected;
  inspected.path = "/backends/Acme_Other_backend.so";
  inspected.stages = {{Stage::kFormat, nanoseconds(5), false}};
  LoadReport report;
  report.candidates = {inspected, opened};
  Profile profile;
  profile.begin_ns = 50;
  profile.lanes = {{"", "before"}};

  AddOpenings(report, profile);
  ASSERT_EQ(profile.lanes.size(), 2U);
  EXPECT_EQ(profile.lanes[1].name, "open Acme_Npu_backend.so");
  ASSERT_EQ(profile.events.size(), 2U);
  EXPECT_EQ(profile.events[0].kind, ProfileEventKind::kOpening);
  EXPECT_EQ(profile.events[0].name, "open");
  EXPECT_EQ(profile.events[0].lane, 1U);
  EXPECT_EQ(profile.events[0].begin_ns, 100U);
  EXPECT_EQ(profile.events[0].end_ns, 107U);
  EXPECT_FALSE(profile.events[0].has_failed);
  EXPECT_TRUE(profile.events[1].has_failed);
}

TEST(OpeningEvents, LeaveOutWhatWasBeforeTheProfile) {
  Candidate opened;
  opened.path = "/backends/Acme_Npu_backend.so";
  opened.stages = {{Stage::kOpen, nanoseconds(7), false, {MakeSpan(100, 107)}}};
  LoadReport report;
  report.candidates = {opened};
  Profile profile;
  profile.begin_ns = 101;
  AddOpenings(report, profile);
  EXPECT_TRUE(profile.events.empty());
  EXPECT_TRUE(profile.lanes.empty());
}

}  // namespace
}  // namespace backplane::profiling
