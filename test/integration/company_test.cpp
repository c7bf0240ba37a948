/// Backends that work alone and clash in one process: every row of clashes.def, by every pair of
/// company.def.

#include <backplane/host/late_backend.hpp>

#include "company_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
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

TEST_P(EveryClash, IsNoMatterWhenTheLaterOneIsIsolated) {
  const CompanyPair& pair = GetParam();
  OpenProgramLibraries(pair.folder);
  ScanOptions options = ScanOf(pair);
  const std::string file = pair.second.substr(pair.second.find_last_of('/') + 1);
  options.isolation.rules = {{file, Isolation::kProcess}};
  BackendRegistry registry;
  std::vector<LoadedContext> contexts;
  const LoadReport report = LoadBackends(options, registry, &contexts);
  for (const std::string& path : {pair.first, pair.second}) {
    if (path.empty()) continue;
    const Candidate* candidate = FindCandidate(report, path);
    ASSERT_NE(candidate, nullptr);
    EXPECT_STREQ(GetCandidateStatusName(candidate->status), "loaded") << ToJson(report);
    EXPECT_EQ(FindDiagnostic(*candidate, pair.code), nullptr) << ToJson(report);
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

/// What a second backend is told of a first.
const Diagnostic* JudgeSecond(const std::string& first, const std::string& second,
                              DiagnosticCode code, LoadReport& report) {
  ScanOptions options;
  options.files = {GetCompanyMember(first), GetCompanyMember(second)};
  options.probe = ProbeMode::kInspect;
  report = Scan(options);
  return FindDiagnostic(report.candidates.back(), code);
}

TEST(VariablesOfLibraries, AreNamedWithTheirLibraries) {
  LoadReport report;
  const Diagnostic* clash =
      JudgeSecond("NeedsCounter", "NeedsOtherCounter", DiagnosticCode::kSharedVariables, report);
  ASSERT_NE(clash, nullptr) << ToJson(report);
  EXPECT_THAT(clash->why, HasSubstr("libmock_counter_too.so (with " +
                                    GetCompanyMember("NeedsOtherCounter") + ") and "));
  EXPECT_THAT(clash->why, HasSubstr("both have SharedCounter<int>::value,"));
}

TEST(VariablesOfLibraries, MayBeSharedWithALibraryThatOneIsLinkedWith) {
  LoadReport report;
  JudgeSecond("NeedsCounter", "NeedsTwoCounters", DiagnosticCode::kSharedVariables, report);
  EXPECT_THAT(report.candidates.back().clashes, IsEmpty()) << ToJson(report);
}

TEST(VariablesOfLibraries, MayBeSharedWhenTheyAreConstant) {
  LoadReport report;
  JudgeSecond("NeedsCounter", "NeedsLimit", DiagnosticCode::kSharedVariables, report);
  EXPECT_THAT(report.candidates.back().clashes, IsEmpty()) << ToJson(report);
}

TEST(LibraryOpenedLater, ThatMayNeverBeKeepsNobodyOut) {
  const CompanyPair& pair = GetCompanyPair("ProtoFileLater");
  const std::string perhaps = GetCompanyMember("ProtoFilePerhaps");
  for (const auto& files : {std::vector<std::string>{pair.first, perhaps},
                            std::vector<std::string>{perhaps, pair.first}}) {
    ScanOptions options;
    options.files = files;
    options.probe = ProbeMode::kInspect;
    const LoadReport report = Scan(options);
    for (const Candidate& candidate : report.candidates) {
      EXPECT_STREQ(GetCandidateStatusName(candidate.status), "inspected");
      const Diagnostic* clash = FindDiagnostic(candidate, DiagnosticCode::kSameProtoFile);
      ASSERT_NE(clash, nullptr) << candidate.path;
      EXPECT_EQ(clash->severity, Severity::kWarning);
      EXPECT_THAT(clash->why, HasSubstr("(which " + perhaps + " may open when it runs)"));
    }
  }
}

TEST(LibraryOpenedLater, IsSeenBehindOthersThatMayNeverBe) {
  const CompanyPair& pair = GetCompanyPair("ProtoFileLater");
  const std::string perhaps = GetCompanyMember("ProtoFilePerhaps");
  ScanOptions options;
  options.files = {perhaps, pair.first, pair.second};
  options.probe = ProbeMode::kInspect;
  const LoadReport report = Scan(options);
  const Candidate& last = report.candidates.back();
  EXPECT_STREQ(GetCandidateStatusName(last.status), "rejected");
  ASSERT_NE(FindDiagnostic(last, DiagnosticCode::kSameProtoFile), nullptr);
  EXPECT_EQ(last.clashes.front().with, pair.first) << "what is certain comes first";
}

/// Variants that cannot be in one process, with ids that only their code tells.
class ClashingVariants : public ::testing::Test {
 protected:
  ClashingVariants() {
    low_ = Add("ProtoVariantA");
    high_ = Add("ProtoVariantB");
  }

  std::string Add(const std::string& name) const {
    const std::string path = directory_.GetPath() + "/Mock_" + name + "_backend.so";
    std::filesystem::copy_file(GetCompanyMember(name), path);
    return path;
  }

  ScanOptions MakeOptions(ProbeMode probe) const {
    ScanOptions options;
    options.search_paths = {{directory_.GetPath()}};
    options.probe = probe;
    options.probe_settings.verdicts = VerdictUse::kIgnore;
    return options;
  }

  const MockDirectory directory_;
  std::string low_;
  std::string high_;
};

TEST_F(ClashingVariants, AreNoClashWhenAnotherProcessTellsTheirId) {
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    ScanOptions options = MakeOptions(ProbeMode::kChild);
    options.opening = opening;
    BackendRegistry registry;
    const LoadReport report = LoadBackends(options, registry);
    EXPECT_THAT(registry.GetBackendIds(), ::testing::ElementsAre("MockProtoVariant"));
    const Candidate& used = *FindCandidate(report, high_);
    EXPECT_EQ(used.status,
              opening == Opening::kEager ? CandidateStatus::kLoaded : CandidateStatus::kInspected);
    const Candidate& other = *FindCandidate(report, low_);
    EXPECT_STREQ(GetCandidateStatusName(other.status), "shadowed");
    EXPECT_EQ(other.shadowed_by, high_);
    for (const Candidate& candidate : report.candidates) {
      EXPECT_THAT(candidate.clashes, IsEmpty()) << candidate.path;
      EXPECT_EQ(FindDiagnostic(candidate, DiagnosticCode::kSameProtoFile), nullptr);
    }
  }
}

TEST_F(ClashingVariants, AreUsedOneAtATimeWhenNothingTellsTheirId) {
  BackendRegistry registry;
  const LoadReport report = LoadBackends(MakeOptions(ProbeMode::kInProcess), registry);
  EXPECT_THAT(registry.GetBackendIds(), ::testing::ElementsAre("MockProtoVariant"));
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
}

/// What comes in between when a thread has judged a file and not opened it yet: the pair ends the
/// process when both are opened.
class TwoThreads : public ::testing::Test {
 protected:
  static ScanOptions OptionsOf(std::vector<std::string> files) {
    ScanOptions options;
    options.files = std::move(files);
    return options;
  }

  /// Loads a file in another thread; its backends stay.
  LoadReport LoadMeanwhile(const std::string& file, Opening opening = Opening::kEager) {
    LoadReport report;
    std::thread([&] {
      ScanOptions options = OptionsOf({file});
      options.opening = opening;
      report = LoadBackends(options, other_);
    }).join();
    return report;
  }

  static void ExpectRefusedBecauseOf(const std::string& other, const Candidate& candidate) {
    EXPECT_STREQ(GetCandidateStatusName(candidate.status), "rejected");
    const Diagnostic* clash = FindDiagnostic(candidate, DiagnosticCode::kSameProtoFile);
    ASSERT_NE(clash, nullptr);
    EXPECT_EQ(clash->severity, Severity::kError);
    EXPECT_THAT(ToText(*clash), HasSubstr(other));
  }

  const CompanyPair pair_ = GetCompanyPair("ProtoFileB");
  BackendRegistry registry_;
  BackendRegistry other_;
};

TEST_F(TwoThreads, OpenNotBothOfAPairAtOnce) {
  ScanOptions options = OptionsOf({pair_.first});
  LoadReport meanwhile;
  options.before_opening = [&](const std::string&) { meanwhile = LoadMeanwhile(pair_.second); };
  const LoadReport report = LoadBackends(options, registry_);
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
  ExpectRefusedBecauseOf(pair_.first, meanwhile.candidates.front());
}

TEST_F(TwoThreads, OpenNotBothOfAPairWhenOneScanBeganBeforeTheOther) {
  const std::string between = GetMockRow("ValidA").path;
  ScanOptions options = OptionsOf({between, pair_.first});
  LoadReport meanwhile;
  options.before_opening = [&](const std::string& path) {
    if (path == between) meanwhile = LoadMeanwhile(pair_.second);
  };
  const LoadReport report = LoadBackends(options, registry_);
  EXPECT_STREQ(GetCandidateStatusName(meanwhile.candidates.front().status), "loaded");
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
  ExpectRefusedBecauseOf(pair_.second, report.candidates.back());
}

TEST_F(TwoThreads, OpenNotBothOfAPairWhenOneIsFirstUsedThen) {
  const LoadReport registered = LoadMeanwhile(pair_.second, Opening::kLazy);
  ASSERT_STREQ(GetCandidateStatusName(registered.candidates.front().status), "inspected");
  ScanOptions options = OptionsOf({pair_.first});
  options.before_opening = [&](const std::string&) {
    std::thread([&] {
      const auto backend = other_.GetRegistration("MockProtoFileB").late;
      EXPECT_THROW(backend->Open(), DiagnosticException);
      ExpectRefusedBecauseOf(pair_.first, backend->GetOutcome()->candidates.front());
    }).join();
  };
  const LoadReport report = LoadBackends(options, registry_);
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
}

TEST_F(TwoThreads, AreNotToldOfWhatWasNotOpenedInTheEnd) {
  ScanOptions options = OptionsOf({pair_.first});
  options.before_opening = [](const std::string&) { throw std::runtime_error("not today"); };
  LoadBackends(options, registry_);
  const LoadReport report = LoadMeanwhile(pair_.second);
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
}

TEST(OpeningOnDemand, OpensNotBothOfAPairWhoseIdsOnlyTheirCodeTells) {
  const CompanyPair& pair = GetCompanyPair("ProtoMessageB");
  ScanOptions options;
  options.files = {pair.first, pair.second};
  options.opening = Opening::kLazy;
  BackendRegistry registry;
  const LoadReport report = LoadBackends(options, registry);
  EXPECT_STREQ(GetCandidateStatusName(report.candidates.front().status), "loaded");
  const Candidate& second = report.candidates.back();
  EXPECT_STREQ(GetCandidateStatusName(second.status), "rejected");
  EXPECT_NE(FindDiagnostic(second, pair.code), nullptr);
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
