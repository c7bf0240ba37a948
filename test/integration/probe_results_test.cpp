/// What a scan gives whose code runs in processes of its own: the same as in this process, in the
/// same order, and without opening anything here.

#include "mock_rows.hpp"
#include "probe_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Puts the file of a row into a directory under another name.
std::string AddAs(const MockDirectory& directory, const std::string& row, const std::string& name) {
  const std::string path = directory.GetPath() + '/' + name;
  std::filesystem::copy(GetMockRow(row).path, path);
  return path;
}

/// What must not depend on where the code ran, one line for each candidate.
std::vector<std::string> Summarise(const LoadReport& report) {
  std::vector<std::string> lines;
  for (const Candidate& candidate : report.candidates) {
    std::string line = candidate.path + ' ' + GetCandidateStatusName(candidate.status) + ' ' +
                       GetStageName(candidate.stage);
    if (candidate.identity) line += ' ' + candidate.identity->id;
    for (const Diagnostic& diagnostic : candidate.diagnostics) line += '\n' + ToText(diagnostic);
    lines.push_back(line);
  }
  return lines;
}

/// Fewer descriptors than candidates, for a while.
class FewDescriptors {
 public:
  FewDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 48;
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(ProbeResults, OfAHundredFilesAreThoseOfAScanInThisProcess) {
  const MockDirectory directory;
  for (int i = 0; i < 100; ++i) {
    const char* const row = i % 10 == 3 ? "FactoryThrows" : i % 10 == 7 ? "TextFile" : "ValidA";
    AddAs(directory, row, "Mock_File" + std::to_string(i) + "_backend.so");
  }
  const FewDescriptors few;
  const std::vector<std::string> in_process = Summarise(ScanFolders({directory.GetPath()}));
  EXPECT_EQ(in_process.size(), 100U);
  EXPECT_EQ(Summarise(Scan(MakeChildScan({directory.GetPath()}))), in_process);
}

TEST(ProbeResults, OfAFamilyAreThoseOfTheFirstVersionThatPasses) {
  const MockDirectory directory;
  AddAs(directory, "CrashInConstructor", "Mock_Family_backend.so.3");
  AddAs(directory, "ValidA", "Mock_Family_backend.so.2");
  AddAs(directory, "LoopInConstructor", "Mock_Family_backend.so.1");
  const LoadReport report = Scan(MakeChildScan({directory.GetPath()}));
  ASSERT_EQ(report.candidates.size(), 3U);
  EXPECT_EQ(report.candidates[0].status, CandidateStatus::kRejected);
  EXPECT_EQ(report.candidates[1].status, CandidateStatus::kLoaded);
  EXPECT_EQ(report.candidates[2].status, CandidateStatus::kShadowed);
  EXPECT_EQ(report.candidates[2].where, ProbedIn::kFile) << "its code did not run";
}

TEST(ProbeResults, OpenNothingInThisProcess) {
  const MockDirectory directory;
  for (const char* row : {"ValidA", "ValidB", "FactoryThrows", "Foreign", "CrashInConstructor"}) {
    directory.Add(row);
  }
  const auto num_loaded = CountLoadedEver();
  const LoadReport report = Scan(MakeChildScan({directory.GetPath()}));
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 2U);
  EXPECT_EQ(CountLoadedEver(), num_loaded);
}

TEST(ProbeResults, AreLoadedOnlyWhereTheyPassed) {
  const MockDirectory directory;
  for (const char* row : {"ValidA", "ValidB", "FactoryThrows", "CrashInContext"}) {
    directory.Add(row);
  }
  const auto num_loaded = CountLoadedEver();
  BackendRegistry registry;
  const LoadReport report = LoadBackends(MakeChildScan({directory.GetPath()}), registry);
  EXPECT_EQ(CountLoadedEver(), num_loaded + 2);
  EXPECT_THAT(registry.GetBackendIds(), ::testing::ElementsAre("MockValidA", "MockValidB"));
  EXPECT_TRUE(IsMapped(directory.GetPath() + "/Mock_ValidA_backend.so"));
  const Candidate* loaded = FindCandidate(report, directory.GetPath() + "/Mock_ValidA_backend.so");
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->where, ProbedIn::kInProcess);
  EXPECT_THAT(loaded->diagnostics, IsEmpty());
}

TEST(ProbeResults, SayWhatAForeignObjectDeclares) {
  const LoadReport report = Scan(MakeChildScan({GetMockRow("Foreign").folder}));
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates[0];
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate.where, ProbedIn::kChild);
  ASSERT_TRUE(candidate.identity);
  EXPECT_EQ(candidate.identity->id, "MockForeign");
  const Diagnostic* foreign = FindDiagnostic(candidate, DiagnosticCode::kNoAbiNote);
  ASSERT_NE(foreign, nullptr);
  EXPECT_THAT(foreign->why, HasSubstr("declares the id \"MockForeign\" and version 1.0"));
}

TEST(ProbeResults, SayThatAForeignObjectDiedWhenItWasAsked) {
  const LoadReport report = Scan(MakeChildScan({GetMockRow("ForeignCrashes").folder}));
  ASSERT_EQ(report.candidates.size(), 1U);
  EXPECT_FALSE(report.candidates[0].identity);
  const Diagnostic* foreign = FindDiagnostic(report.candidates[0], DiagnosticCode::kNoAbiNote);
  ASSERT_NE(foreign, nullptr);
  ASSERT_EQ(foreign->causes.size(), 1U);
  EXPECT_EQ(foreign->causes[0].code, DiagnosticCode::kPluginCrashed);
  EXPECT_THAT(foreign->causes[0].what, HasSubstr("crashed in GetBackendId"));
}

}  // namespace
}  // namespace backplane::test
