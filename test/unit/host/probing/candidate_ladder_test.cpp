#include "probing/candidate_ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Nanoseconds = std::chrono::nanoseconds;

Diagnostic MakeError() {
  return Diagnostic{DiagnosticCode::kOpenFailed};
}

Diagnostic MakeNote() {
  return Diagnostic{DiagnosticCode::kSameFile, Severity::kNote};
}

std::vector<Stage> GetStages(const Candidate& candidate) {
  std::vector<Stage> stages;
  for (const StageRecord& record : candidate.stages) stages.push_back(record.stage);
  return stages;
}

class Listener final : public backend::ProgressObserver {
 public:
  void OnStage(Stage stage) override { stages.push_back(stage); }
  void OnCall(const char* /*function*/) override {}
  std::vector<Stage> stages;
};

class CandidateLadderTest : public ::testing::Test {
 protected:
  Candidate candidate_;
  CandidateLadder ladder_{candidate_};
};

TEST_F(CandidateLadderTest, RecordsTheStagesInTheirOrderAndTheLastOneThatPassed) {
  ladder_.Begin(Stage::kName);
  ladder_.Begin(Stage::kFile);
  ladder_.Report(MakeNote());
  ladder_.Finish(CandidateStatus::kInspected);
  EXPECT_EQ(candidate_.status, CandidateStatus::kInspected);
  EXPECT_EQ(candidate_.stage, Stage::kFile);
  EXPECT_THAT(GetStages(candidate_), ElementsAre(Stage::kName, Stage::kFile));
  EXPECT_FALSE(candidate_.stages[1].has_failed);
  EXPECT_FALSE(ladder_.HasFailed());
}

TEST_F(CandidateLadderTest, RejectsAtTheFirstStageThatFailed) {
  ladder_.Begin(Stage::kOpen);
  ladder_.Report(MakeError());
  ladder_.Begin(Stage::kIdentify);
  ladder_.Report(Diagnostic{DiagnosticCode::kNullBackendId});
  ladder_.Finish(CandidateStatus::kLoaded);
  EXPECT_EQ(candidate_.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate_.stage, Stage::kOpen);
  EXPECT_TRUE(candidate_.stages[0].has_failed);
  EXPECT_TRUE(candidate_.stages[1].has_failed);
  EXPECT_EQ(candidate_.diagnostics.size(), 2U);
}

TEST_F(CandidateLadderTest, AddsUpTheTimesOfAStageThatRanTwice) {
  ladder_.Add(Stage::kAbi, Nanoseconds(5), {});
  ladder_.Add(Stage::kFormat, Nanoseconds(1), {});
  ladder_.Add(Stage::kAbi, Nanoseconds(7), {MakeError()});
  ASSERT_THAT(GetStages(candidate_), ElementsAre(Stage::kAbi, Stage::kFormat));
  EXPECT_EQ(candidate_.stages[0].duration, Nanoseconds(12));
  EXPECT_TRUE(candidate_.stages[0].has_failed);
}

TEST_F(CandidateLadderTest, TellsFromWhenToWhenAStageRanHere) {
  ladder_.Add(Stage::kOpen, Nanoseconds(5), {});
  const auto before = std::chrono::steady_clock::now();
  ladder_.Begin(Stage::kOpen);
  ladder_.Begin(Stage::kIdentify);
  ladder_.Begin(Stage::kOpen);
  ladder_.Finish(CandidateStatus::kLoaded);
  const StageRecord& open = candidate_.stages[0];
  const StageRecord& identify = candidate_.stages[1];
  ASSERT_EQ(open.in_this_process.size(), 2U);
  ASSERT_EQ(identify.in_this_process.size(), 1U);
  EXPECT_LE(before, open.in_this_process[0].begin);
  EXPECT_LE(open.in_this_process[0].end, identify.in_this_process[0].begin);
  EXPECT_LE(identify.in_this_process[0].end, open.in_this_process[1].begin);
  EXPECT_GT(open.duration, Nanoseconds(5));
}

TEST_F(CandidateLadderTest, FailsAStageForWhichAnotherSaysWhy) {
  ladder_.Begin(Stage::kOpen);
  ladder_.FailWithoutReason();
  ladder_.Add(Stage::kDependencies, Nanoseconds(1), {MakeError()});
  ladder_.Finish(CandidateStatus::kLoaded);
  EXPECT_EQ(candidate_.stage, Stage::kDependencies);
  EXPECT_TRUE(candidate_.stages[0].has_failed);
}

TEST_F(CandidateLadderTest, AdoptsWhatAnotherProcessFound) {
  ladder_.Add(Stage::kAbi, Nanoseconds(5), {MakeNote()});
  Candidate probed;
  probed.status = CandidateStatus::kRejected;
  probed.stage = Stage::kIdentify;
  probed.stages.push_back({Stage::kOpen, Nanoseconds(3), false});
  probed.stages.push_back({Stage::kIdentify, Nanoseconds(4), true});
  probed.diagnostics.push_back(MakeError());
  probed.identity = BackendIdentity{"b", {1, 0}, {}, {}, {}};
  ladder_.Adopt(std::move(probed));
  ladder_.Finish(CandidateStatus::kLoaded);
  EXPECT_EQ(candidate_.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate_.stage, Stage::kIdentify);
  EXPECT_THAT(GetStages(candidate_), ElementsAre(Stage::kAbi, Stage::kOpen, Stage::kIdentify));
  EXPECT_EQ(candidate_.diagnostics.size(), 2U);
  ASSERT_TRUE(candidate_.identity);
  EXPECT_EQ(candidate_.identity->id, "b");
}

TEST_F(CandidateLadderTest, AdoptingWithoutAnIdentityKeepsTheKnownOne) {
  candidate_.identity = BackendIdentity{"known", {1, 0}, {}, {}, {}};
  ladder_.Adopt(Candidate());
  ASSERT_TRUE(candidate_.identity);
  EXPECT_EQ(candidate_.identity->id, "known");
}

TEST_F(CandidateLadderTest, ForgetsThatStagesRanButNotWhatTheyFound) {
  ladder_.Add(Stage::kAbi, Nanoseconds(5), {});
  ladder_.Add(Stage::kOpen, Nanoseconds(5), {MakeNote()});
  ladder_.Add(Stage::kCreate, Nanoseconds(5), {});
  ladder_.ForgetFrom(Stage::kOpen);
  EXPECT_THAT(GetStages(candidate_), ElementsAre(Stage::kAbi));
  EXPECT_FALSE(ladder_.HasRun(Stage::kOpen));
  EXPECT_EQ(candidate_.diagnostics.size(), 1U);
}

TEST_F(CandidateLadderTest, SaysWhatWasFoundTwiceOnce) {
  ladder_.Begin(Stage::kCreate);
  ladder_.Report(MakeNote());
  ladder_.Report(MakeNote());
  EXPECT_EQ(candidate_.diagnostics.size(), 1U);
}

TEST_F(CandidateLadderTest, TellsAnExpectedFaultThatHappensAsAnError) {
  ladder_.Begin(Stage::kCompany);
  ladder_.Report({DiagnosticCode::kStaticTlsUsedUp, Severity::kWarning});
  EXPECT_FALSE(ladder_.HasFailed());
  ladder_.Report({DiagnosticCode::kStaticTlsUsedUp, Severity::kError});
  EXPECT_TRUE(ladder_.HasFailed());
  ASSERT_EQ(candidate_.diagnostics.size(), 1U);
  EXPECT_EQ(candidate_.diagnostics[0].severity, Severity::kError);
}

TEST(CandidateLadder, TellsItsObserverOfStagesAsTheyBegin) {
  Candidate candidate;
  Listener listener;
  CandidateLadder ladder(candidate, &listener);
  ladder.Begin(Stage::kOpen);
  ladder.Add(Stage::kDependencies, Nanoseconds(1), {});
  ladder.Begin(Stage::kCreate);
  EXPECT_THAT(listener.stages, ElementsAre(Stage::kOpen, Stage::kCreate));
}

TEST(CandidateLadder, WithoutAnythingHasNoStages) {
  Candidate candidate;
  CandidateLadder ladder(candidate);
  ladder.Finish(CandidateStatus::kSkipped);
  EXPECT_EQ(candidate.status, CandidateStatus::kSkipped);
  EXPECT_THAT(candidate.stages, IsEmpty());
}

}  // namespace
}  // namespace backplane::probing
