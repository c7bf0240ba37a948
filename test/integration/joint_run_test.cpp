/// Backends that pass alone and come to a bad end in one process: run together in a process of
/// their own, before a program has them.

#include "mock_rows.hpp"
#include "probe_watch.hpp"
#include "support/build_tree.hpp"

#include <backplane/host/backend_registry.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string GetFolder(const std::string& name) {
  return InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR) + "/" + name;
}

/// That of one file is told in it and in another one; the first is rejected, the other stays.
void ExpectLeftOut(const LoadReport& report, const std::string& left_out, const std::string& stays,
                   DiagnosticCode code) {
  const Candidate* out = FindCandidate(report, left_out);
  const Candidate* in = FindCandidate(report, stays);
  ASSERT_TRUE(out != nullptr && in != nullptr) << ToJson(report);
  EXPECT_EQ(GetStatus(report, left_out), "rejected") << ToJson(report);
  EXPECT_EQ(GetStatus(report, stays), "loaded");
  EXPECT_EQ(out->stage, Stage::kCompany);
  const Diagnostic* error = FindDiagnostic(*out, code);
  const Diagnostic* warning = FindDiagnostic(*in, code);
  ASSERT_TRUE(error != nullptr && warning != nullptr);
  EXPECT_EQ(error->severity, Severity::kError);
  EXPECT_EQ(warning->severity, Severity::kWarning);
  EXPECT_THAT(error->what, HasSubstr(stays));
  EXPECT_THAT(warning->what, HasSubstr(left_out));
  EXPECT_THAT(error->fix, HasSubstr(fs::path(stays).filename().string()));
  ASSERT_EQ(out->clashes.size(), 1U);
  EXPECT_EQ(out->clashes[0].with, stays);
  EXPECT_EQ(out->clashes[0].code, code);
  ASSERT_EQ(in->clashes.size(), 1U);
  EXPECT_EQ(in->clashes[0].with, left_out);
}

std::string GetReason(const LoadReport& report, const std::string& path, DiagnosticCode code) {
  const Candidate* candidate = FindCandidate(report, path);
  const Diagnostic* found = candidate != nullptr ? FindDiagnostic(*candidate, code) : nullptr;
  return found != nullptr ? found->why : "";
}

TEST(JointRun, GoodBackendsPassAndNothingIsSaid) {
  const LoadReport report =
      Scan(MakeChildScan({GetMockRow("ValidA").folder, GetFolder("together-abort")}));
  ASSERT_TRUE(report.joint_run);
  const LoadReport good =
      Scan(MakeChildScan({GetMockRow("ValidA").folder, GetMockRow("Runs").folder}));
  ASSERT_TRUE(good.joint_run);
  EXPECT_EQ(good.joint_run->num_backends, 2U);
  EXPECT_EQ(good.joint_run->num_processes, 1U);
  EXPECT_TRUE(good.joint_run->has_passed);
  EXPECT_THAT(good.joint_run->diagnostics, IsEmpty());
  for (const Candidate& candidate : good.candidates) EXPECT_THAT(candidate.clashes, IsEmpty());
}

TEST(JointRun, TheOneOfLowerRankIsLeftOutWhenTwoEndTheProcess) {
  const std::string folder = GetFolder("together-abort");
  const std::string high = folder + "/Mock_AbortsHigh_backend.so";
  const std::string low = folder + "/Mock_AbortsLow_backend.so";
  const LoadReport report = Scan(MakeChildScan({folder}));
  ExpectLeftOut(report, low, high, DiagnosticCode::kEndsProcessTogether);
  EXPECT_THAT(GetReason(report, low, DiagnosticCode::kEndsProcessTogether),
              AllOf(HasSubstr("each was run alone and passed"), HasSubstr("SIGABRT"),
                    HasSubstr("in a static constructor of its own"),
                    HasSubstr("the table of the process is taken")));
  const Diagnostic* error =
      FindDiagnostic(*FindCandidate(report, low), DiagnosticCode::kEndsProcessTogether);
  EXPECT_THAT(error->fix, HasSubstr("the rank of Mock_AbortsLow_backend.so is 10, that of "
                                    "Mock_AbortsHigh_backend.so is 20"));
}

TEST(JointRun, TheOneThatComesFirstIsLeftOutWhenItsRankIsLower) {
  const MockDirectory directory;
  const std::string folder = GetFolder("together-abort");
  const std::string high = directory.GetPath() + "/Mock_Z_backend.so";
  const std::string low = directory.GetPath() + "/Mock_A_backend.so";
  fs::copy(folder + "/Mock_AbortsHigh_backend.so", high);
  fs::copy(folder + "/Mock_AbortsLow_backend.so", low);
  ExpectLeftOut(Scan(MakeChildScan({directory.GetPath()})), low, high,
                DiagnosticCode::kEndsProcessTogether);
}

TEST(JointRun, TheEndOfTheProcessIsTriedToo) {
  const std::string folder = GetFolder("together-abort-at-end");
  const LoadReport report = Scan(MakeChildScan({folder}));
  const std::string last = folder + "/Mock_AbortsAtEndB_backend.so";
  ExpectLeftOut(report, last, folder + "/Mock_AbortsAtEndA_backend.so",
                DiagnosticCode::kEndsProcessTogether);
  EXPECT_THAT(GetReason(report, last, DiagnosticCode::kEndsProcessTogether),
              HasSubstr("while it was being closed"));
}

TEST(JointRun, OneThatDoesNotComeBackBesideAnotherIsFound) {
  const std::string folder = GetFolder("together-loop");
  ScanOptions options = MakeChildScan({folder});
  options.probe_settings.timeout = std::chrono::milliseconds(2000);
  const LoadReport report = Scan(options);
  const std::string last = folder + "/Mock_LoopsB_backend.so";
  ExpectLeftOut(report, last, folder + "/Mock_LoopsA_backend.so",
                DiagnosticCode::kEndsProcessTogether);
  EXPECT_THAT(GetReason(report, last, DiagnosticCode::kEndsProcessTogether),
              HasSubstr("did not come to an end in IBackendInternal::CreateBackendContext"));
}

TEST(JointRun, OneThatOnlyFailsBesideAnotherIsFound) {
  const std::string folder = GetFolder("together-throw");
  const LoadReport report = Scan(MakeChildScan({folder}));
  const std::string last = folder + "/Mock_ThrowsB_backend.so";
  ExpectLeftOut(report, last, folder + "/Mock_ThrowsA_backend.so", DiagnosticCode::kFailsTogether);
  EXPECT_THAT(GetReason(report, last, DiagnosticCode::kFailsTogether),
              HasSubstr("the table of the process is taken"));
}

TEST(JointRun, TheOneWithoutWhichAllOthersGetOnIsLeftOutWhateverItsRank) {
  const std::string folder = GetFolder("together-spoiled");
  const LoadReport report = Scan(MakeChildScan({folder}));
  const std::string culprit = folder + "/Mock_Ruins_backend.so";
  EXPECT_EQ(GetStatus(report, culprit), "rejected") << ToJson(report);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 3U) << ToJson(report);
  const Diagnostic* error =
      FindDiagnostic(*FindCandidate(report, culprit), DiagnosticCode::kEndsProcessTogether);
  ASSERT_NE(error, nullptr);
  EXPECT_THAT(error->fix, HasSubstr("without Mock_Ruins_backend.so, all others get on"));
}

TEST(JointRun, ThreeOfWhichAnyTwoGetOnAreNamedTogether) {
  const std::string folder = GetFolder("together-three");
  const LoadReport report =
      Scan(MakeChildScan({GetMockRow("ValidA").folder, folder, GetMockRow("Runs").folder}));
  const std::string last = folder + "/Mock_ThreeC_backend.so";
  EXPECT_EQ(GetStatus(report, last), "rejected");
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 4U) << ToJson(report);
  const Candidate* left_out = FindCandidate(report, last);
  ASSERT_EQ(left_out->clashes.size(), 2U);
  EXPECT_EQ(left_out->clashes[0].with, folder + "/Mock_ThreeA_backend.so");
  EXPECT_EQ(left_out->clashes[1].with, folder + "/Mock_ThreeB_backend.so");
  EXPECT_EQ(FindCandidate(report, folder + "/Mock_ThreeA_backend.so")->clashes.size(), 2U);
  EXPECT_TRUE(report.joint_run->has_passed);
  EXPECT_EQ(report.joint_run->num_backends, 4U);
}

TEST(JointRun, OfManyOfWhichNoTwoGetOnOneIsLeft) {
  const MockDirectory directory;
  constexpr int kCount = 12;
  const auto paths = directory.AddCopies(GetFolder("together-abort") + "/Mock_AbortsLow_backend.so",
                                         "MockAbortsLow", kCount);
  const LoadReport report = Scan(MakeChildScan({directory.GetPath()}));
  EXPECT_EQ(GetStatus(report, paths.front()), "loaded") << ToJson(report);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), kCount - 1U);
  EXPECT_EQ(report.joint_run->num_backends, 1U);
}

TEST(JointRun, WhatPassedIsKeptUntilOneOfTheFilesChanges) {
  const MockDirectory directory;
  const MockDirectory cache;
  const std::string first = directory.GetPath() + "/Mock_ValidA_backend.so";
  fs::copy(GetMockRow("ValidA").path, first);
  fs::copy(GetMockRow("Runs").path, directory.GetPath() + "/Mock_Runs_backend.so");
  ScanOptions options = MakeChildScan({directory.GetPath()});
  options.probe_settings.verdicts = VerdictUse::kUse;
  options.probe_settings.verdict_directory = cache.GetPath() + "/verdicts";
  EXPECT_EQ(Scan(options).joint_run->num_processes, 1U);
  const LoadReport again = Scan(options);
  EXPECT_EQ(again.joint_run->num_processes, 0U);
  EXPECT_TRUE(again.joint_run->has_passed);
  EXPECT_TRUE(again.joint_run->verdict_of);
  fs::remove(first);
  fs::copy(GetMockRow("ValidA").path, first);
  EXPECT_EQ(Scan(options).joint_run->num_processes, 1U);
}

TEST(JointRun, WhatFailedIsTriedAgainEveryTime) {
  const MockDirectory cache;
  ScanOptions options = MakeChildScan({GetFolder("together-abort")});
  options.probe_settings.verdicts = VerdictUse::kUse;
  options.probe_settings.verdict_directory = cache.GetPath() + "/verdicts";
  for (int i = 0; i < 2; ++i) {
    const LoadReport report = Scan(options);
    EXPECT_GT(report.joint_run->num_processes, 1U);
    EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 1U);
  }
}

class JointRunOfARuntime : public ::testing::TestWithParam<Opening> {};

TEST_P(JointRunOfARuntime, LeavesTheSetThatWorks) {
  const std::string folder = GetFolder("together-abort");
  ScanOptions options = MakeChildScan({folder});
  options.opening = GetParam();
  BackendRegistry registry;
  const LoadReport report = LoadBackends(options, registry);
  EXPECT_TRUE(registry.IsBackendRegistered("MockAbortsHigh"));
  EXPECT_FALSE(registry.IsBackendRegistered("MockAbortsLow"));
  EXPECT_EQ(GetStatus(report, folder + "/Mock_AbortsLow_backend.so"), "rejected");
  EXPECT_TRUE(registry.CreateBackend("MockAbortsHigh"));
}

INSTANTIATE_TEST_SUITE_P(Opening, JointRunOfARuntime,
                         ::testing::Values(Opening::kEager, Opening::kLazy),
                         [](const auto& opening) {
                           return opening.param == Opening::kEager ? "AtOnce" : "AtFirstUse";
                         });

TEST(JointRun, AnotherVersionTakesThePlaceOfOneThatIsLeftOut) {
  const MockDirectory directory;
  const std::string folder = GetFolder("together-abort");
  const std::string clashing = directory.GetPath() + "/Mock_Low_backend.so";
  const std::string next = directory.GetPath() + "/Mock_Low_backend.so.1";
  fs::copy(folder + "/Mock_AbortsHigh_backend.so", directory.GetPath() + "/Mock_High_backend.so");
  fs::copy(folder + "/Mock_AbortsLow_backend.so", clashing);
  fs::copy(GetMockRow("ValidA").path, next);
  const LoadReport report = Scan(MakeChildScan({directory.GetPath()}));
  EXPECT_EQ(GetStatus(report, clashing), "rejected");
  EXPECT_EQ(GetStatus(report, next), "loaded") << ToJson(report);
}

TEST(JointRun, TheLibrariesOfAnotherProgramTakePart) {
  ScanOptions options = MakeChildScan({});
  const std::string path = GetFolder("together-abort") + "/Mock_AbortsLow_backend.so";
  options.files = {path};
  EXPECT_EQ(GetStatus(Scan(options), path), "loaded");
  options.program = GetFolder("together-programs") + "/mock_once_program";
  const LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, path), "rejected") << ToJson(report);
  const Candidate* candidate = FindCandidate(report, path);
  const Diagnostic* error = FindDiagnostic(*candidate, DiagnosticCode::kEndsProcessTogether);
  ASSERT_NE(error, nullptr);
  EXPECT_THAT(error->what, AllOf(HasSubstr("ends the process beside"),
                                 HasSubstr("libmock_once.so of the program")));
  ASSERT_EQ(candidate->clashes.size(), 1U);
  EXPECT_THAT(candidate->clashes[0].with, HasSubstr("libmock_once.so"));
}

TEST(JointRun, ALibraryThatNoOtherProgramCanOpenIsLeftOutOfIt) {
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder, GetMockRow("Runs").folder});
  options.program = GetFolder("together-programs") + "/mock_moody_program";
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 2U) << ToJson(report);
  ASSERT_EQ(report.joint_run->diagnostics.size(), 1U);
  const Diagnostic& doubt = report.joint_run->diagnostics.front();
  EXPECT_EQ(doubt.code, DiagnosticCode::kNotTriedTogether);
  EXPECT_EQ(doubt.severity, Severity::kWarning);
  EXPECT_THAT(doubt.why, AllOf(HasSubstr("libmock_moody.so"), HasSubstr("SIGABRT")));
  EXPECT_TRUE(report.joint_run->has_passed);
}

TEST(JointRun, WhatCannotBeTriedIsToldBesideWhatIsFound) {
  ScanOptions options = MakeChildScan({GetFolder("together-throw")});
  options.program = GetFolder("together-programs") + "/mock_moody_program";
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 1U) << ToJson(report);
  EXPECT_EQ(report.joint_run->diagnostics.size(), 1U);
}

TEST(JointRun, ABadEndThatDoesNotComeAgainIsAWarningOnly) {
  const MockDirectory directory;
  setenv("BACKPLANE_MOCK_ONCE", (directory.GetPath() + "/once").c_str(), 1);
  const LoadReport report = Scan(MakeChildScan({GetFolder("together-once")}));
  unsetenv("BACKPLANE_MOCK_ONCE");
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 2U) << ToJson(report);
  ASSERT_EQ(report.joint_run->diagnostics.size(), 1U);
  const Diagnostic& doubt = report.joint_run->diagnostics.front();
  EXPECT_EQ(doubt.code, DiagnosticCode::kEndedOnceTogether);
  EXPECT_THAT(doubt.why, HasSubstr("SIGABRT"));
  EXPECT_FALSE(report.joint_run->has_passed);
}

TEST(JointRun, AProbeThatCannotBeStartedForItIsAWarning) {
  const MockDirectory cache;
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder, GetMockRow("Runs").folder});
  options.probe_settings.program = "/nowhere/backplane-probe";
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 2U) << "each says so itself";
  EXPECT_THAT(report.joint_run->diagnostics, IsEmpty());
}

}  // namespace
}  // namespace backplane::test
