/// The test strategy of the design note that this system follows, by its numbers: those that need
/// no runtime. The others are in design_note_runtime_test.cpp; T09 is in every_function_test.cpp.

#include "mock_rows.hpp"

#include <backplane/host/dynamic_backend.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

DiagnosticCode GetReasonCode(const LoadReport& report, const std::string& path) {
  const Candidate* candidate = FindCandidate(report, path);
  const Diagnostic* reason = candidate != nullptr ? FindReason(*candidate) : nullptr;
  return reason != nullptr ? reason->code : DiagnosticCode{};
}

TEST(DesignNote, T01_LoadsAValidBackend) {
  BackendRegistry registry;
  const LoadReport report = LoadFolders({GetMockRow("ValidA").folder}, registry);
  EXPECT_EQ(GetStatus(report, GetMockRow("ValidA").path), "loaded");
  ASSERT_THAT(registry.GetBackendIds(), ElementsAre("MockValidA"));
  const PluginObject<IBackendInternal> backend = registry.CreateBackend("MockValidA");
  EXPECT_STREQ(backend.Call<&IBackendInternal::GetId>().GetOrThrow(), "MockValidA");
}

TEST(DesignNote, T02_RefusesAFileThatIsNoSharedObject) {
  BackendRegistry registry;
  const LoadReport report = LoadFolders({GetMockRow("TextFile").folder}, registry);
  EXPECT_EQ(GetReasonCode(report, GetMockRow("TextFile").path), DiagnosticCode::kNotElf);
  EXPECT_EQ(registry.Size(), 0U);
}

TEST(DesignNote, T02_RefusesALinkToNothing) {
  const MockRow& row = GetMockRow("DanglingLink");
  EXPECT_EQ(GetReasonCode(ScanFolders({row.folder}), row.path), DiagnosticCode::kDanglingLink);
}

TEST(DesignNote, T02_SkipsALinkToAValidBackendWhoseOwnNameDoesNotMatch) {
  const MockDirectory directory;
  const std::string link = directory.GetPath() + "/backend.so";
  std::filesystem::create_symlink(GetMockRow("ValidA").path, link);
  const LoadReport report = ScanFolders({directory.GetPath()});
  EXPECT_EQ(GetStatus(report, link), "skipped");
  EXPECT_EQ(GetReasonCode(report, link), DiagnosticCode::kInvalidFileName);
}

TEST(DesignNote, T02_SkipsAValidBackendWhoseNameDoesNotMatch) {
  const MockRow& row = GetMockRow("NameWithoutVendor");
  BackendRegistry registry;
  const LoadReport report = LoadFolders({row.folder}, registry);
  EXPECT_EQ(GetStatus(report, row.path), "skipped");
  EXPECT_EQ(registry.Size(), 0U);
}

TEST(DesignNote, T03_RefusesASharedObjectThatIsNoBackend) {
  for (const char* name : {"NotABackend", "NoEntryPoints", "NoGetBackendId", "NoGetVersion",
                           "NoBackendFactory", "Mangled", "NullId", "NullFactory"}) {
    const MockRow& row = GetMockRow(name);
    BackendRegistry registry;
    const LoadReport report = LoadFolders({row.folder}, registry);
    EXPECT_EQ(GetStatus(report, row.path), "rejected") << name;
    EXPECT_EQ(GetReasonCode(report, row.path), *row.code) << name;
    EXPECT_EQ(registry.Size(), 0U) << name;
  }
}

TEST(DesignNote, T04_RefusesABackendOfAnIncompatibleVersion) {
  for (const char* name : {"HeadersNextMinor", "HeadersNextMajor", "HeadersPreviousMajor",
                           "VersionNextMinor", "VersionNextMajor", "VersionPreviousMajor"}) {
    const MockRow& row = GetMockRow(name);
    BackendRegistry registry;
    const LoadReport report = LoadFolders({row.folder}, registry);
    EXPECT_EQ(GetStatus(report, row.path), "rejected") << name;
    EXPECT_EQ(GetReasonCode(report, row.path), *row.code) << name;
    EXPECT_EQ(registry.Size(), 0U) << name;
  }
}

TEST(DesignNote, T05_LoadsSeveralBackends) {
  BackendRegistry registry;
  LoadFolders(
      {GetMockRow("ValidB").folder, GetMockRow("ValidC").folder, GetMockRow("ValidA").folder},
      registry);
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockValidB", "MockValidC", "MockValidA"));
}

TEST(DesignNote, T06_RefusesASecondBackendWithTheSameId) {
  const MockRow& first = GetMockRow("DuplicateFirst");
  const MockRow& second = GetMockRow("DuplicateSecond");
  BackendRegistry registry;
  const LoadReport report = LoadFolders({first.folder}, registry);
  EXPECT_EQ(GetStatus(report, first.path), "loaded");
  EXPECT_EQ(GetStatus(report, second.path), "shadowed");
  EXPECT_EQ(GetReasonCode(report, second.path), DiagnosticCode::kVariantNotChosen);
  const std::string& foreign = GetMockRow("DuplicateForeign").path;
  EXPECT_EQ(GetStatus(report, foreign), "rejected");
  EXPECT_EQ(GetReasonCode(report, foreign), DiagnosticCode::kBackendIdTaken);
  EXPECT_EQ(registry.GetRegistration("MockDuplicate").source, first.path);
}

TEST(DesignNote, T06_RefusesTheIdOfABackendLoadedByAnEarlierScan) {
  const MockRow& first = GetMockRow("DuplicateFirst");
  BackendRegistry registry;
  LoadFolders({GetMockRow("ValidA").folder}, registry);
  LoadFolders({first.folder}, registry);
  const LoadReport again = LoadFolders({first.folder}, registry);
  EXPECT_EQ(CountCandidates(again, CandidateStatus::kLoaded), 0U);
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockValidA", "MockDuplicate"));
}

TEST(DesignNote, T07_LoadsOneFileWithSeveralNamesOnce) {
  BackendRegistry registry;
  const LoadReport report = LoadFolders({GetMockRow("LinkToLink").folder}, registry);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kShadowed), 3U);
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockLinks"));
}

TEST(DesignNote, T07_LoadsOneFileReachedThroughTwoDirectoriesOnce) {
  const MockDirectory directory;
  const MockRow& row = GetMockRow("ValidA");
  const std::string link = directory.GetPath() + "/Other_Name_backend.so";
  std::filesystem::create_symlink(row.path, link);
  BackendRegistry registry;
  const LoadReport report =
      LoadFolders({row.folder, directory.GetPath(), row.folder + "/"}, registry);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
  EXPECT_EQ(GetStatus(report, link), "shadowed");
  EXPECT_EQ(GetReasonCode(report, link), DiagnosticCode::kSameFile);
  EXPECT_EQ(registry.Size(), 1U);
}

TEST(DesignNote, T08_ClosesABackendWithTheLastThatUsesIt) {
  const MockRow& row = GetMockRow("ValidA");
  PluginObject<IBackendInternal> backend;
  {
    BackendRegistry registry;
    LoadFolders({row.folder}, registry);
    backend = registry.CreateBackend("MockValidA");
  }
  EXPECT_TRUE(IsMapped(row.path)) << "an object of the backend still lives";
  EXPECT_STREQ(backend.Call<&IBackendInternal::GetId>().GetOrThrow(), "MockValidA");
  backend = {};
  EXPECT_FALSE(IsMapped(row.path));
}

TEST(DesignNote, T12_OpensEveryGoodFileByItself) {
  for (const MockRow& row : GetMockRows()) {
    if (row.needs_child) continue;  // its code may not run here
    if (row.id.empty()) continue;
    const auto backend = DynamicBackend::Open(row.path);
    EXPECT_EQ(backend->GetBackendId(), row.id);
    EXPECT_TRUE(backend->GetBackendVersion() == kBackendApiVersion) << row.name;
    EXPECT_EQ(backend->GetPath(), std::filesystem::canonical(row.path).string());
    EXPECT_EQ(backend->CreateBackend().Call<&IBackendInternal::GetId>().GetOrThrow(), row.id);
  }
}

TEST(DesignNote, T12_RefusesToOpenEveryBadFile) {
  for (const MockRow& row : GetMockRows()) {
    if (row.needs_child) continue;  // its code may not run here
    const bool is_bad =
        row.status == CandidateStatus::kRejected || row.status == CandidateStatus::kUnavailable;
    const bool is_bad_alone = is_bad && row.code != DiagnosticCode::kBackendIdTaken &&
                              row.code != DiagnosticCode::kFileUnreadable;
    if (!is_bad_alone || row.is_remark) continue;  // a remark may stand behind another error
    try {
      DynamicBackend::Open(row.path);
      ADD_FAILURE() << row.name << " was opened";
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(exception.GetDiagnostic().code, *row.code) << exception.what();
    }
  }
}

TEST(DesignNote, T12_SaysWhatIsWrongWithASearchPath) {
  const MockDirectory directory;
  const struct {
    std::string path;
    DiagnosticCode code;
  } cases[] = {{"", DiagnosticCode::kSearchPathEmpty},
               {"relative/path", DiagnosticCode::kSearchPathNotAbsolute},
               {directory.GetPath() + "/absent", DiagnosticCode::kSearchPathNotFound},
               {GetMockRow("ValidA").path, DiagnosticCode::kSearchPathNotDirectory}};
  for (const auto& [path, code] : cases) {
    const LoadReport report = ScanFolders({path});
    ASSERT_EQ(report.search_paths.size(), 1U);
    EXPECT_FALSE(report.search_paths[0].is_scanned) << path;
    ASSERT_EQ(report.search_paths[0].diagnostics.size(), 1U) << path;
    EXPECT_EQ(report.search_paths[0].diagnostics[0].code, code) << path;
    EXPECT_EQ(report.search_paths[0].diagnostics[0].subject.name, path);
    EXPECT_TRUE(report.candidates.empty());
  }
}

TEST(DesignNote, T12_DisablesByIdAndByFileName) {
  for (const char* pattern : {"MockValidA", "Mock_ValidA_*"}) {
    ScanOptions options;
    options.search_paths.push_back({GetMockRow("ValidA").folder});
    options.search_paths.push_back({GetMockRow("ValidB").folder});
    options.disabled.push_back(pattern);
    BackendRegistry registry;
    const LoadReport report = LoadBackends(options, registry);
    EXPECT_EQ(GetStatus(report, GetMockRow("ValidA").path), "skipped") << pattern;
    EXPECT_EQ(GetReasonCode(report, GetMockRow("ValidA").path), DiagnosticCode::kBackendDisabled);
    EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockValidB"));
  }
}

TEST(DesignNote, T12_ReadsTheDisabledBackendsFromTheEnvironment) {
  ASSERT_EQ(setenv("BACKPLANE_DISABLE_BACKENDS", "CpuRef,Mock_*", 1), 0);
  std::vector<std::string> disabled;
  for (const Setting& setting : ReadConfiguration().disabled) disabled.push_back(setting.value);
  EXPECT_THAT(disabled, ElementsAre("CpuRef", "Mock_*"));
  ASSERT_EQ(unsetenv("BACKPLANE_DISABLE_BACKENDS"), 0);
  EXPECT_TRUE(ReadConfiguration().disabled.empty());
}

}  // namespace
}  // namespace backplane::test
