#include "probing/explain_account.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace backplane::probing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kExplainAccountPath[] = "/x/Acme_Npu_backend.so";

ProbeAccount MakeGood() {
  ProbeAccount account;
  account.end = ProcessEnd::kExited;
  account.stage = Stage::kCreate;
  account.is_closed = true;
  account.is_ended = true;
  account.report = PluginReport();
  account.report->candidate.status = CandidateStatus::kLoaded;
  account.report->candidate.stage = Stage::kCreate;
  account.report->candidate.stages.push_back({Stage::kCreate, std::chrono::nanoseconds(1), false});
  return account;
}

TEST(ExplainAccount, TakesOverWhatThePluginsProcessReported) {
  const Candidate candidate = ExplainAccount(MakeGood(), kExplainAccountPath);
  EXPECT_EQ(candidate.path, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kLoaded);
  EXPECT_EQ(candidate.where, ProbedIn::kChild);
  EXPECT_THAT(candidate.diagnostics, IsEmpty());
}

TEST(ExplainAccount, RejectsWhatDiedWithoutAReportAtTheStageItHadBegun) {
  ProbeAccount account = MakeGood();
  account.report.reset();
  account.is_closed = false;
  account.end = ProcessEnd::kSignalled;
  account.signal = SIGSEGV;
  account.stage = Stage::kIdentify;
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate.stage, Stage::kIdentify);
  ASSERT_EQ(candidate.stages.size(), 1U);
  EXPECT_TRUE(candidate.stages[0].has_failed);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].code, DiagnosticCode::kPluginCrashed);
}

TEST(ExplainAccount, RejectsWhatDiedWhileItWasBeingClosed) {
  ProbeAccount account = MakeGood();
  account.is_closed = false;
  account.end = ProcessEnd::kSignalled;
  account.signal = SIGSEGV;
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  ASSERT_EQ(candidate.stages.size(), 1U);
  EXPECT_TRUE(candidate.stages[0].has_failed);
}

TEST(ExplainAccount, RejectsWhatCutsTheEndOfTheProcessShort) {
  ProbeAccount account = MakeGood();
  account.is_ended = false;
  EXPECT_EQ(ExplainAccount(account, kExplainAccountPath).status, CandidateStatus::kRejected);
  account = MakeGood();
  account.exit_code = 3;
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].code, DiagnosticCode::kPluginExited);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("_exit with code 3"));
}

TEST(ExplainAccount, RejectsWhatSignalsTheWatcher) {
  ProbeAccount account = MakeGood();
  account.signal_to_watcher = SIGTERM;
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].code, DiagnosticCode::kSignalledParent);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("SIGTERM"));
}

TEST(ExplainAccount, PutsTheLibrariesThatItNeedsBeforeItsDeathInTheLoader) {
  ProbeAccount account = MakeGood();
  account.is_closed = false;
  account.is_inspected = true;
  account.end = ProcessEnd::kSignalled;
  account.signal = SIGBUS;
  Diagnostic missing{DiagnosticCode::kMissingDependency};
  account.report->candidate.diagnostics.push_back(missing);
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].code, DiagnosticCode::kMissingDependency);
  ASSERT_EQ(candidate.diagnostics[0].causes.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].causes[0].code, DiagnosticCode::kPluginCrashed);
}

TEST(ExplainAccount, ListsNoMoreThanIsRead) {
  ProbeAccount account = MakeGood();
  account.report->state.descriptors_left.assign(1000, "7 (/dev/null)");
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("; and 976 more"));
}

TEST(ExplainAccount, NamesTheLimitOfTheCheckWhereMemoryWasRefused) {
  ProbeAccount account = MakeGood();
  account.max_data_bytes = std::uint64_t{4} << 30U;
  Diagnostic thrown{DiagnosticCode::kBackendThrew};
  thrown.why = "it says: std::bad_alloc";
  account.report->candidate.diagnostics = {thrown};
  EXPECT_THAT(ExplainAccount(account, kExplainAccountPath).diagnostics[0].why,
              HasSubstr("the limit was 4096 MiB of data"));
}

TEST(ExplainAccount, RejectsWhatLostItsReport) {
  ProbeAccount account = MakeGood();
  account.report.reset();
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  EXPECT_EQ(candidate.diagnostics[0].code, DiagnosticCode::kProbeFailed);
}

TEST(ExplainAccount, RemarksOnWhatIsLeftBehind) {
  ProbeAccount account = MakeGood();
  account.report->state.changes = {"the umask from 0022 to 0000"};
  account.report->state.num_threads_left = 2;
  account.report->state.descriptors_left = {"7 (/dev/null)"};
  account.num_processes_left = 2;
  account.stdout_bytes = 1;
  account.stdout_start = "x";
  const Candidate candidate = ExplainAccount(account, kExplainAccountPath);
  EXPECT_EQ(candidate.status, CandidateStatus::kLoaded);
  ASSERT_EQ(candidate.diagnostics.size(), 5U);
  EXPECT_THAT(candidate.diagnostics[0].why, HasSubstr("the umask from 0022 to 0000"));
  EXPECT_THAT(candidate.diagnostics[1].why, HasSubstr("found 2 threads more"));
  EXPECT_THAT(candidate.diagnostics[2].why, HasSubstr("descriptor 7 (/dev/null)"));
  EXPECT_THAT(candidate.diagnostics[3].why, HasSubstr("found 2 processes below"));
  EXPECT_THAT(candidate.diagnostics[4].why, HasSubstr("found 1 byte, beginning with \"x\""));
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    EXPECT_EQ(diagnostic.subject.name, kExplainAccountPath);
    EXPECT_THAT(diagnostic.what, ::testing::StartsWith("Acme_Npu_backend.so "));
    EXPECT_NE(diagnostic.severity, Severity::kError);
  }
}

}  // namespace
}  // namespace backplane::probing
