/// Backends that work alone and clash in one process: every row of clashes.def, by every pair of
/// company.def.

#include "company_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ClashRow {
  const char* name;
  DiagnosticCode code;
  Severity severity;
};

constexpr ClashRow kClashes[] = {
#define BACKPLANE_CLASH(name, severity, text) \
  {#name, DiagnosticCode::k##name, Severity::k##severity},
#include <backplane/host/clashes.def>
#undef BACKPLANE_CLASH
};

Severity GetSeverity(DiagnosticCode code) {
  return std::find_if(std::begin(kClashes), std::end(kClashes),
                      [&](const ClashRow& row) { return row.code == code; })
      ->severity;
}

/// What the program has of a pair whose first is no backend, where everybody finds it.
void OpenProgramLibraries(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/program", error)) {
    if (entry.is_symlink()) continue;
    ASSERT_NE(dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  }
}

ScanOptions ScanOf(const CompanyPair& pair) {
  ScanOptions options;
  options.search_paths.push_back({pair.folder});
  // What a backend does to its process is seen in a process of its own only.
  options.probe =
      pair.code == DiagnosticCode::kSameProcessState ? ProbeMode::kChild : ProbeMode::kInProcess;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  return options;
}

std::string GetPathIn(const Candidate& candidate, DiagnosticCode code) {
  for (const ClashRecord& clash : candidate.clashes) {
    if (clash.code == code) return clash.with;
  }
  return "";
}

void ExpectStatus(const Candidate& second, DiagnosticCode code) {
  if (GetSeverity(code) == Severity::kError) {
    EXPECT_STREQ(GetCandidateStatusName(second.status), "rejected");
    EXPECT_EQ(second.stage, Stage::kCompany);
  } else {
    EXPECT_STREQ(GetCandidateStatusName(second.status), "loaded");
  }
}

class EveryClash : public ::testing::TestWithParam<CompanyPair> {};

TEST_P(EveryClash, IsNamedInBothAndKeepsTheLaterOneOutWhenItHurts) {
  const CompanyPair& pair = GetParam();
  OpenProgramLibraries(pair.folder);
  const LoadReport report = Scan(ScanOf(pair));
  const Candidate* second = FindCandidate(report, pair.second);
  ASSERT_NE(second, nullptr);
  const Diagnostic* diagnostic = FindDiagnostic(*second, pair.code);
  ASSERT_NE(diagnostic, nullptr) << ToJson(report);
  EXPECT_EQ(diagnostic->severity, GetSeverity(pair.code));
  EXPECT_EQ(diagnostic->subject.name, pair.second);
  const std::string text = ToText(*diagnostic);
  for (const std::string& word : pair.words) EXPECT_THAT(text, HasSubstr(word));
  ExpectStatus(*second, pair.code);
  if (pair.first.empty()) return;

  EXPECT_EQ(GetPathIn(*second, pair.code), pair.first);
  EXPECT_THAT(text, HasSubstr(pair.first));
  const Candidate* first = FindCandidate(report, pair.first);
  ASSERT_NE(first, nullptr);
  EXPECT_STREQ(GetCandidateStatusName(first->status), "loaded");
  const Diagnostic* remark = FindDiagnostic(*first, pair.code);
  ASSERT_NE(remark, nullptr);
  EXPECT_EQ(remark->severity, Severity::kWarning);
  EXPECT_EQ(remark->subject.name, pair.first);
  EXPECT_THAT(remark->what, HasSubstr(pair.second));
  EXPECT_EQ(GetPathIn(*first, pair.code), pair.second);
}

TEST_P(EveryClash, IsSeenWithoutRunningAnything) {
  const CompanyPair& pair = GetParam();
  if (pair.code == DiagnosticCode::kSameProcessState) GTEST_SKIP() << "is seen by running it";
  OpenProgramLibraries(pair.folder);
  ScanOptions options = ScanOf(pair);
  options.probe = ProbeMode::kInspect;
  const LoadReport report = Scan(options);
  const Candidate* second = FindCandidate(report, pair.second);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(FindDiagnostic(*second, pair.code), nullptr) << ToJson(report);
}

TEST_P(EveryClash, IsNoMatterOfOneAlone) {
  const CompanyPair& pair = GetParam();
  for (const std::string& path : {pair.first, pair.second}) {
    if (path.empty()) continue;
    ScanOptions options = ScanOf(pair);
    options.search_paths.clear();
    options.files.push_back(path);
    options.probe = ProbeMode::kChild;  // nothing of the first stays here
    const LoadReport report = Scan(options);
    EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
    EXPECT_THAT(report.candidates.front().clashes, IsEmpty());
  }
}

std::string GetPairName(const ::testing::TestParamInfo<CompanyPair>& pair) {
  return pair.param.name;
}

INSTANTIATE_TEST_SUITE_P(Company, EveryClash, ::testing::ValuesIn(GetCompanyPairs()), GetPairName);

TEST(StaticTls, ThatTheLoaderRefusesIsCuredByASetting) {
  const LoadReport report = ScanHere(GetMockRow("StaticTls"));
  const Diagnostic* refusal =
      FindDiagnostic(report.candidates.front(), DiagnosticCode::kOpenFailed);
  ASSERT_NE(refusal, nullptr);
  // A mebibyte, and four times what is set.
  EXPECT_THAT(refusal->fix, HasSubstr("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=10"));
}

TEST(ClashTable, EveryRowHasAPair) {
  std::set<DiagnosticCode> shown;
  for (const CompanyPair& pair : GetCompanyPairs()) shown.insert(pair.code);
  for (const ClashRow& row : kClashes) EXPECT_THAT(shown, Contains(row.code)) << row.name;
}

/// A directory with copies of one backend.
class ManyBackends : public ::testing::Test {
 protected:
  static constexpr int kCount = 200;

  void Fill(const std::string& row) {
    directory_.AddCopies(GetMockRow(row).path, "Mock" + row, kCount);
  }

  LoadReport Inspect() const {
    ScanOptions options;
    options.search_paths.push_back({directory_.GetPath()});
    options.probe = ProbeMode::kInspect;
    return Scan(options);
  }

 private:
  MockDirectory directory_;
};

TEST_F(ManyBackends, DoNotClashWhenTheyAreGood) {
  for (const char* row : {"ValidA", "Complete", "Runs"}) {
    SCOPED_TRACE(row);
    Fill(row);
    for (const Candidate& candidate : Inspect().candidates) {
      EXPECT_THAT(candidate.clashes, IsEmpty()) << candidate.path;
    }
  }
}

TEST(AnotherProgram, IsReadFromItsFiles) {
  const CompanyPair& pair = GetCompanyPair("OtherVersion");
  ScanOptions options;
  options.files.push_back(pair.second);
  options.probe = ProbeMode::kInspect;
  EXPECT_THAT(Scan(options).candidates.front().clashes, IsEmpty()) << "here";
  options.program =
      InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR) + "/clash-libraries/mock_company_program";
  const LoadReport report = Scan(options);
  const Candidate& candidate = report.candidates.front();
  ASSERT_NE(FindDiagnostic(candidate, DiagnosticCode::kOtherVersionFirst), nullptr);
  EXPECT_EQ(std::filesystem::canonical(candidate.clashes.front().with),
            std::filesystem::canonical(pair.folder + "/program/libmock_versioned.so.1"));
}

TEST(AnotherProgram, MustBeOne) {
  EXPECT_FALSE(CheckProgram("/proc/self/exe"));
  for (const char* path : {"/etc/passwd", "/dev/null", "/", "", "/absent"}) {
    const auto fault = CheckProgram(path);
    ASSERT_TRUE(fault) << path;
    EXPECT_EQ(fault->code, DiagnosticCode::kUsageError);
    EXPECT_THAT(fault->fix, HasSubstr("name the program itself"));
  }
}

TEST(OneRuntimeBehindAnother, IsToldWhatTheFirstOneHasOpened) {
  const CompanyPair pair = GetCompanyPair("ProtoFileB");
  ScanOptions options;
  options.files.push_back(pair.first);
  BackendRegistry registry;
  LoadBackends(options, registry);
  options.files = {pair.second};
  BackendRegistry other;
  const LoadReport report = LoadBackends(options, other);
  const Candidate& second = report.candidates.front();
  ASSERT_NE(FindDiagnostic(second, DiagnosticCode::kSameProtoFile), nullptr);
  EXPECT_STREQ(GetCandidateStatusName(second.status), "rejected");
  EXPECT_EQ(second.clashes.front().with, pair.first);
}

TEST(OneRuntimeBehindAnother, MayHaveTheSameBackend) {
  ScanOptions options;
  options.files.push_back(GetCompanyPair("ProtoFileB").first);
  BackendRegistry registry;
  LoadBackends(options, registry);
  BackendRegistry other;
  const LoadReport report = LoadBackends(options, other);
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
}

}  // namespace
}  // namespace backplane::test
