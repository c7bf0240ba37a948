/// The cases of the system we follow that load backends without a runtime, by its numbers. Cases
/// about its helper functions for handles and symbols have no counterpart: nothing here hands out
/// handles. Discovery of names and the rule of versions are tested where they are written.

#include "mock_rows.hpp"

#include <backplane/host/dynamic_backend.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The code with which opening a file is refused; fails the test when it is not.
DiagnosticCode OpenAndFail(const std::string& path) {
  try {
    DynamicBackend::Open(path);
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().subject.name, path);
    return exception.GetDiagnostic().code;
  }
  ADD_FAILURE() << path << " was opened";
  return {};
}

std::vector<std::string> Load(const std::vector<std::string>& rows, BackendRegistry& registry) {
  ScanOptions options;
  for (const std::string& row : rows) options.files.push_back(GetMockRow(row).path);
  std::vector<std::string> loaded;
  for (const Candidate& candidate : LoadBackends(options, registry).candidates) {
    if (candidate.status == CandidateStatus::kLoaded) loaded.push_back(candidate.identity->id);
  }
  return loaded;
}

TEST(DynamicBackendTests, Case01_OpensAndClosesAFile) {
  const MockRow& row = GetMockRow("ValidA");
  auto backend = DynamicBackend::Open(row.path);
  EXPECT_TRUE(IsMapped(row.path));
  backend.reset();
  EXPECT_FALSE(IsMapped(row.path));
}

TEST(DynamicBackendTests, Case03_RefusesAnEmptyFileName) {
  EXPECT_EQ(OpenAndFail(""), DiagnosticCode::kInvalidFileName);
}

TEST(DynamicBackendTests, Case04_RefusesAFileThatDoesNotExist) {
  EXPECT_EQ(OpenAndFail("/nowhere/Mock_Absent_backend.so"), DiagnosticCode::kFileNotFound);
}

TEST(DynamicBackendTests, Case05_RefusesAFileThatIsNoSharedObject) {
  EXPECT_EQ(OpenAndFail(GetMockRow("TextFile").path), DiagnosticCode::kNotElf);
}

TEST(DynamicBackendTests, Case12_RefusesMangledEntryPoints) {
  EXPECT_EQ(OpenAndFail(GetMockRow("Mangled").path), DiagnosticCode::kMangledEntryPoint);
}

TEST(DynamicBackendTests, Case13_RefusesWithoutGetBackendId) {
  EXPECT_EQ(OpenAndFail(GetMockRow("NoGetBackendId").path), DiagnosticCode::kMissingEntryPoint);
}

TEST(DynamicBackendTests, Case14_RefusesWithoutGetVersion) {
  EXPECT_EQ(OpenAndFail(GetMockRow("NoGetVersion").path), DiagnosticCode::kMissingEntryPoint);
}

TEST(DynamicBackendTests, Case15_RefusesWithoutBackendFactory) {
  EXPECT_EQ(OpenAndFail(GetMockRow("NoBackendFactory").path), DiagnosticCode::kMissingEntryPoint);
}

TEST(DynamicBackendTests, Case16_RefusesANullId) {
  EXPECT_EQ(OpenAndFail(GetMockRow("NullId").path), DiagnosticCode::kNullBackendId);
}

// There the object could be made and failed at its first use; here it is refused at once.
TEST(DynamicBackendTests, Case17_RefusesAFactoryThatGivesNothing) {
  try {
    DynamicBackend::Open(GetMockRow("NullFactory").path);
    ADD_FAILURE() << "was opened";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNullBackend);
  }
}

TEST(DynamicBackendTests, Case18_RefusesAnIncompatibleVersion) {
  EXPECT_EQ(OpenAndFail(GetMockRow("VersionPreviousMajor").path),
            DiagnosticCode::kVersionDisagreesWithNote);
}

TEST(DynamicBackendTests, Case20_KeepsValidPathsInTheirOrderAmongInvalidOnes) {
  const LoadReport report = ScanFolders(
      {"", GetMockRow("ValidB").folder, "relative", "/nowhere", GetMockRow("ValidA").folder, ""});
  std::vector<bool> scanned;
  for (const SearchPathReport& path : report.search_paths) scanned.push_back(path.is_scanned);
  EXPECT_THAT(scanned, ElementsAre(false, true, false, false, true, false));
  ASSERT_EQ(report.candidates.size(), 2U);
  EXPECT_EQ(report.candidates[0].path, GetMockRow("ValidB").path);
  EXPECT_EQ(report.candidates[1].path, GetMockRow("ValidA").path);
}

TEST(DynamicBackendTests, Case20_ADirectoryGivenTwiceLoadsNothingTwice) {
  const std::string& folder = GetMockRow("ValidA").folder;
  const LoadReport report = ScanFolders({folder, folder});
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 0U);
}

TEST(DynamicBackendTests, Case22_LoadsTheGoodAndKeepsTheirOrder) {
  BackendRegistry registry;
  LoadFolders({GetMockRow("ValidB").folder, GetMockRow("VersionNextMinor").folder,
               GetMockRow("DuplicateFirst").folder, "/nowhere", GetMockRow("NullId").folder,
               GetMockRow("ValidA").folder},
              registry);
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockValidB", "MockDuplicate", "MockValidA"));
}

TEST(DynamicBackendTests, Case23_NoPathsGiveNothing) {
  const LoadReport report = ScanFolders({});
  EXPECT_THAT(report.search_paths, IsEmpty());
  EXPECT_THAT(report.candidates, IsEmpty());
}

TEST(DynamicBackendTests, Case24_MissingFilesGiveNothing) {
  ScanOptions options;
  options.files = {"/nowhere/A_A_backend.so", "/nowhere/B_B_backend.so", "/nowhere/C_C_backend.so"};
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 3U);
}

TEST(DynamicBackendTests, Case25_LoadsOnlyTheGoodOneOfMixedFiles) {
  BackendRegistry registry;
  EXPECT_THAT(Load({"ValidB", "NullId", "VersionNextMinor", "DanglingLink"}, registry),
              ElementsAre("MockValidB"));
}

TEST(DynamicBackendTests, Case26_RegistersNoInvalidId) {
  BackendRegistry registry;
  EXPECT_THAT(Load({"EmptyId", "UnknownId"}, registry), IsEmpty());
  EXPECT_EQ(registry.Size(), 0U);
}

TEST(DynamicBackendTests, Case33_MakesTwoBackendsFromOneFile) {
  const auto library = DynamicBackend::Open(GetMockRow("ValidA").path);
  EXPECT_EQ(library->GetBackendId(), "MockValidA");
  EXPECT_TRUE(library->GetBackendVersion() == IBackendInternal::GetApiVersion());
  const PluginObject<IBackendInternal> first = library->CreateBackend();
  const PluginObject<IBackendInternal> second = library->CreateBackend();
  EXPECT_NE(first.Share(), second.Share());
  EXPECT_STREQ(first.Call<&IBackendInternal::GetId>().value, "MockValidA");
  EXPECT_STREQ(second.Call<&IBackendInternal::GetId>().value, "MockValidA");
}

TEST(DynamicBackendTests, Case34_RegistersOneBackend) {
  BackendRegistry registry;
  EXPECT_THAT(Load({"ValidA"}, registry), ElementsAre("MockValidA"));
  EXPECT_EQ(registry.Size(), 1U);
  const std::unique_ptr<IBackendInternal> backend = registry.GetFactory("MockValidA")();
  ASSERT_NE(backend, nullptr);
  EXPECT_STREQ(backend->GetId(), "MockValidA");
}

TEST(DynamicBackendTests, Case35_RegistersThreeBackends) {
  BackendRegistry registry;
  Load({"ValidA", "ValidB", "ValidC"}, registry);
  EXPECT_EQ(registry.Size(), 3U);
  for (const std::string& id : registry.GetBackendIds()) {
    const std::unique_ptr<IBackendInternal> backend = registry.GetFactory(id)();
    ASSERT_NE(backend, nullptr);
    EXPECT_EQ(backend->GetId(), id);
  }
}

TEST(DynamicBackendTests, Case36_RegistersTheGoodOfTenFiles) {
  BackendRegistry registry;
  EXPECT_THAT(Load({"ValidB", "ValidC", "ValidB", "DuplicateFirst", "DuplicateSecond", "NullId",
                    "VersionNextMinor", "EmptyId", "UnknownId", "DanglingLink"},
                   registry),
              ElementsAre("MockValidB", "MockValidC", "MockDuplicate"));
  EXPECT_EQ(registry.Size(), 3U);
}

}  // namespace
}  // namespace backplane::test
