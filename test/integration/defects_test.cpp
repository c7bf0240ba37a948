/// Every row of defects.def: what a scan says of its file, and that none spoils the others.

#include "mock_rows.hpp"
#include "row_needs.hpp"
#include "support/build_tree.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Whether the code of the rows may run in this process.
std::vector<MockRow> SelectRows(bool needs_child) {
  std::vector<MockRow> rows = GetMockRows();
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const MockRow& row) { return row.needs_child != needs_child; }),
             rows.end());
  return rows;
}

class Defects : public ::testing::TestWithParam<MockRow> {};
class DefectsInChild : public ::testing::TestWithParam<MockRow> {};
class DeadlyDefects : public ::testing::TestWithParam<MockRow> {};

std::string GetRowName(const ::testing::TestParamInfo<MockRow>& info) {
  return info.param.name;
}

/// Root may read a file that nobody may read.
bool IsInvisibleToRoot(const MockRow& row) {
  return row.code == DiagnosticCode::kFileUnreadable && geteuid() == 0;
}

void ExpectReason(const Candidate& candidate, const MockRow& row) {
  const Diagnostic* found = FindDiagnostic(candidate, *row.code);
  const Diagnostic* reason =
      candidate.status == CandidateStatus::kLoaded ? found : FindReason(candidate);
  ASSERT_NE(reason, nullptr);
  const std::string text = ToText(*reason);
  EXPECT_EQ(GetDiagnosticName(reason->code), std::string(GetDiagnosticName(*row.code))) << text;
  EXPECT_EQ(GetSubjectKindName(reason->subject.kind), GetSubjectKindName(row.subject.kind));
  EXPECT_EQ(reason->subject.name, row.subject.name);
  for (const std::string& word : row.words) EXPECT_THAT(text, HasSubstr(word));
  if (candidate.status == CandidateStatus::kRejected) {
    EXPECT_FALSE(reason->fix.empty()) << text;
  }
}

void ExpectLoaded(const Candidate& candidate, const MockRow& row, ProbedIn where) {
  ASSERT_TRUE(candidate.identity.has_value());
  EXPECT_EQ(candidate.identity->id, row.id);
  EXPECT_TRUE(candidate.identity->api_version == kBackendApiVersion);
  EXPECT_EQ(candidate.where, where);
  EXPECT_FALSE(candidate.stages.empty());
  for (const Diagnostic& diagnostic : candidate.diagnostics) ADD_FAILURE() << ToText(diagnostic);
}

// Other remarks may stand beside it.
void ExpectRemark(const Candidate& candidate, const MockRow& row) {
  const Diagnostic* found = FindDiagnostic(candidate, *row.code);
  ASSERT_NE(found, nullptr) << GetDiagnosticName(*row.code);
  const std::string text = ToText(*found);
  EXPECT_THAT(found->subject.name, ::testing::AnyOf(row.subject.name, row.id)) << text;
  for (const std::string& word : row.words) EXPECT_THAT(text, HasSubstr(word));
  EXPECT_FALSE(found->fix.empty()) << text;
  if (!row.id.empty()) {
    EXPECT_NE(found->severity, Severity::kError) << text;
    ASSERT_TRUE(candidate.identity.has_value());
    EXPECT_EQ(candidate.identity->id, row.id);
  }
}

void ExpectRow(const LoadReport& report, const MockRow& row, ProbedIn where) {
  ASSERT_EQ(report.search_paths.size(), 1U);
  EXPECT_TRUE(report.search_paths[0].is_scanned);
  const Candidate* candidate = FindCandidate(report, row.path);
  ASSERT_NE(candidate, nullptr) << row.path;
  const Diagnostic* reason = FindReason(*candidate);
  EXPECT_STREQ(GetCandidateStatusName(candidate->status), GetCandidateStatusName(row.status))
      << (reason != nullptr ? ToText(*reason) : "");
  EXPECT_STREQ(GetStageName(candidate->stage), GetStageName(row.stage));
  if (row.is_remark) {
    ExpectRemark(*candidate, row);
  } else if (row.code) {
    ExpectReason(*candidate, row);
  } else {
    ExpectLoaded(*candidate, row, where);
  }
  EXPECT_FALSE(IsMapped(row.folder)) << "a scan leaves nothing open";
}

TEST_P(Defects, GetsItsStatusStageAndWords) {
  if (IsInvisibleToRoot(GetParam())) GTEST_SKIP() << "root can read every file";
  ExpectRow(ScanHere(GetParam()), GetParam(), ProbedIn::kInProcess);
}

TEST_P(DefectsInChild, GetTheSameStatusStageAndWords) {
  if (IsInvisibleToRoot(GetParam())) GTEST_SKIP() << "root can read every file";
  ExpectRow(ScanInChild(GetParam()), GetParam(), ProbedIn::kChild);
}

bool IsChangedUnderSanitizers(const std::string& row) {
  return row == "ChangesRoot" || row == "LocksMemory";
}

TEST_P(DeadlyDefects, AreSurvivedAndExplained) {
  const bool is_sanitized = test::HasAddressSanitizer() || test::HasThreadSanitizer();
  if (is_sanitized && GetParam().code == DiagnosticCode::kPluginOutOfMemory) {
    GTEST_SKIP() << "sanitizers reserve more memory than any limit allows";
  }
  if (is_sanitized && GetParam().name == "ChangesLimits") {
    GTEST_SKIP() << "sanitizers need descriptors of their own";
  }
  for (const char* word : {"needs=Filters", "deed=AllocateTooMuch", "link=mock_allocator"}) {
    if (!is_sanitized || GetParam().recipe.find(word) == std::string::npos) continue;
    GTEST_SKIP() << "sanitizers have system calls, limits and allocators of their own";
  }
  if (test::HasAddressSanitizer() && IsChangedUnderSanitizers(GetParam().name)) {
    GTEST_SKIP() << "the sanitizer reads /proc when a process ends, and locks no memory";
  }
  const bool meets_threads = GetParam().name == "LeavesThread" || GetParam().name == "CrashAtExit";
  if (test::HasThreadSanitizer() && meets_threads) {
    GTEST_SKIP() << "the sanitizer has a thread and a list of exit handlers of its own";
  }
  const std::string obstacle = FindObstacle(GetParam().recipe);
  if (!obstacle.empty()) GTEST_SKIP() << obstacle;
  ExpectRow(ScanInChild(GetParam()), GetParam(), ProbedIn::kChild);
}

INSTANTIATE_TEST_SUITE_P(Table, Defects, ::testing::ValuesIn(SelectRows(false)), GetRowName);
INSTANTIATE_TEST_SUITE_P(Table, DefectsInChild, ::testing::ValuesIn(SelectRows(false)), GetRowName);
INSTANTIATE_TEST_SUITE_P(Table, DeadlyDefects, ::testing::ValuesIn(SelectRows(true)), GetRowName);

std::vector<std::string> GetAllFolders() {
  std::vector<std::string> folders;
  for (const MockRow& row : SelectRows(false)) {
    if (std::find(folders.begin(), folders.end(), row.folder) == folders.end()) {
      folders.push_back(row.folder);
    }
  }
  return folders;
}

TEST(AllDefects, ScannedTogetherGiveWhatTheyGiveAlone) {
  const LoadReport report = ScanFolders(GetAllFolders());
  for (const MockRow& row : SelectRows(false)) {
    if (IsInvisibleToRoot(row)) continue;
    const Candidate* candidate = FindCandidate(report, row.path);
    ASSERT_NE(candidate, nullptr) << row.path;
    EXPECT_STREQ(GetCandidateStatusName(candidate->status), GetCandidateStatusName(row.status))
        << row.name;
    EXPECT_STREQ(GetStageName(candidate->stage), GetStageName(row.stage)) << row.name;
  }
  EXPECT_FALSE(IsMapped(test::InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR)));
}

TEST(AllDefects, LoadedTogetherRegisterExactlyTheGoodOnes) {
  BackendRegistry registry;
  LoadFolders(GetAllFolders(), registry);
  std::vector<std::string> expected;
  for (const MockRow& row : SelectRows(false)) {
    if (!row.id.empty()) expected.push_back(row.id);
  }
  EXPECT_THAT(registry.GetBackendIds(), ::testing::UnorderedElementsAreArray(expected));
  for (const std::string& id : registry.GetBackendIds()) {
    PluginObject<IBackendInternal> backend = registry.CreateBackend(id);
    EXPECT_EQ(backend.Call<&IBackendInternal::GetId>().GetOrThrow(), id);
  }
}

TEST(AllDefects, InspectedOnlyRunNoCode) {
  ScanOptions options;
  for (const std::string& folder : GetAllFolders()) options.search_paths.push_back({folder});
  options.probe = ProbeMode::kInspect;
  const LoadReport report = Scan(options);
  for (const MockRow& row : SelectRows(false)) {
    if (IsInvisibleToRoot(row)) continue;
    const Candidate* candidate = FindCandidate(report, row.path);
    ASSERT_NE(candidate, nullptr) << row.path;
    EXPECT_EQ(candidate->where, ProbedIn::kFile) << row.name;
    const bool runs_code = row.stage > Stage::kDependencies;
    // Which variant stands back may depend on what their code says.
    if (runs_code && candidate->status == CandidateStatus::kShadowed) continue;
    const CandidateStatus expected = runs_code ? CandidateStatus::kInspected : row.status;
    EXPECT_STREQ(GetCandidateStatusName(candidate->status), GetCandidateStatusName(expected))
        << row.name;
  }
}

LoadReport InspectFolder(const std::string& folder) {
  ScanOptions options;
  options.search_paths.push_back({folder});
  options.probe = ProbeMode::kInspect;
  return Scan(options);
}

void ExpectClean(const Candidate& candidate) {
  EXPECT_STREQ(GetCandidateStatusName(candidate.status), "inspected") << candidate.path;
  for (const Diagnostic& diagnostic : candidate.diagnostics) ADD_FAILURE() << ToText(diagnostic);
}

// What backplane_add_backend builds is clean, down to the notes.
TEST(AllDefects, InspectedOnlyGoodOnesGiveNoDiagnostics) {
  std::map<std::string, LoadReport> reports;  // each folder is inspected once
  for (const MockRow& row : SelectRows(false)) {
    if (row.code) continue;
    if (reports.count(row.folder) == 0) reports[row.folder] = InspectFolder(row.folder);
    const Candidate* candidate = FindCandidate(reports[row.folder], row.path);
    ASSERT_NE(candidate, nullptr) << row.path;
    ExpectClean(*candidate);
  }
}

#ifdef BACKPLANE_BACKENDS_FOLDER
TEST(OwnBackends, InspectedOnlyGiveNoDiagnostics) {
  const LoadReport report = InspectFolder(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER));
  EXPECT_FALSE(report.candidates.empty());
  for (const Candidate& candidate : report.candidates) ExpectClean(candidate);
}
#endif

TEST(DefectTable, EveryRowHasAFileOfItsOwn) {
  std::set<std::string> paths;
  std::set<std::string> names;
  for (const MockRow& row : GetMockRows()) {
    EXPECT_TRUE(paths.insert(row.path).second) << row.path;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

class MixedDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* row :
         {"ValidA", "ValidB", "Runs", "TextFile", "NoGetVersion", "FactoryThrows",
          "FactoryUnavailable", "DuplicateFirst", "DuplicateForeign", "OtherObjectId"}) {
      directory_.Add(row);
    }
    report_ = LoadFolders({directory_.GetPath()}, registry_);
  }

  Diagnostic GetRefusal(const std::string& id) const {
    try {
      registry_.GetRegistration(id);
    } catch (const DiagnosticException& exception) {
      return exception.GetDiagnostic();
    }
    ADD_FAILURE() << id << " is registered";
    return {};
  }

  MockDirectory directory_;
  BackendRegistry registry_;
  LoadReport report_;
};

TEST_F(MixedDirectory, RegistersExactlyTheGoodOnesInTheOrderOfTheirNames) {
  EXPECT_THAT(registry_.GetBackendIds(),
              ::testing::ElementsAre("MockDuplicate", "MockRuns", "MockValidA", "MockValidB"));
  EXPECT_EQ(CountCandidates(report_, CandidateStatus::kLoaded), 4U);
  EXPECT_EQ(CountCandidates(report_, CandidateStatus::kRejected), 5U);
  EXPECT_EQ(CountCandidates(report_, CandidateStatus::kUnavailable), 1U);
}

TEST_F(MixedDirectory, KeepsOnlyTheGoodOnesOpen) {
  EXPECT_TRUE(IsMapped(directory_.GetPath() + "/Mock_ValidA_backend.so"));
  EXPECT_FALSE(IsMapped(directory_.GetPath() + "/Mock_FactoryThrows_backend.so"));
  EXPECT_FALSE(IsMapped(directory_.GetPath() + "/Mock_FactoryUnavailable_backend.so"));
  EXPECT_FALSE(IsMapped(directory_.GetPath() + "/Mock_DuplicateSecond_backend.so"));
}

TEST_F(MixedDirectory, AnswersForARejectedIdWithItsReason) {
  const Diagnostic refusal = GetRefusal("MockFactoryThrows");
  EXPECT_EQ(refusal.code, DiagnosticCode::kBackendRejected);
  EXPECT_THAT(ToText(refusal), HasSubstr("the factory is closed"));
  EXPECT_THAT(refusal.causes, ::testing::Not(IsEmpty()));
}

TEST_F(MixedDirectory, AnswersForAnUnavailableIdWithItsReason) {
  const Diagnostic refusal = GetRefusal("MockFactoryUnavailable");
  EXPECT_EQ(refusal.code, DiagnosticCode::kBackendRejected);
  EXPECT_THAT(ToText(refusal), HasSubstr("there is no mock device in this machine"));
}

TEST_F(MixedDirectory, AnswersForAnUnknownIdWithTheNearestOne) {
  const Diagnostic refusal = GetRefusal("MockValida");
  EXPECT_EQ(refusal.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_THAT(ToText(refusal), HasSubstr("MockValidA"));
}

TEST_F(MixedDirectory, ClosesEverythingWithTheRegistry) {
  {
    BackendRegistry other;
    LoadFolders({directory_.GetPath()}, other);
    for (const std::string& id : registry_.GetBackendIds()) registry_.Deregister(id);
    EXPECT_TRUE(IsMapped(directory_.GetPath())) << "the other registry still has them";
  }
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

}  // namespace
}  // namespace backplane::test
