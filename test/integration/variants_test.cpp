/// Several files that give one backend id: which one is used, and what is said of the others.

#include "mock_rows.hpp"
#include "probe_watch.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Variants : public ::testing::Test {
 protected:
  /// Copies the file of a row to a path below the directory.
  std::string Add(const std::string& row, const std::string& path) const {
    const fs::path file = fs::path(directory_.GetPath()) / path;
    fs::create_directories(file.parent_path());
    fs::copy(GetMockRow(row).path, file);
    return file.string();
  }

  ScanOptions MakeOptions(ProbeMode probe = ProbeMode::kInProcess) const {
    ScanOptions options;
    options.search_paths = {{directory_.GetPath()}};
    options.probe = probe;
    options.probe_settings.verdicts = VerdictUse::kIgnore;
    return options;
  }

  /// The files that were opened in this process, without their directory.
  std::vector<std::string> ListOpened(ScanOptions options) const {
    std::vector<std::string> opened;
    options.before_opening = [&](const std::string& path) {
      opened.push_back(fs::path(path).filename().string());
    };
    Scan(options);
    return opened;
  }

  const MockDirectory directory_;
};

std::string GetReason(const LoadReport& report, const std::string& path) {
  const Candidate* candidate = FindCandidate(report, path);
  const Diagnostic* reason = candidate != nullptr ? FindReason(*candidate) : nullptr;
  return reason != nullptr ? ToText(*reason) : "";
}

bool IsUsable(const std::string& status) {
  return status == "loaded" || status == "inspected";
}

TEST_F(Variants, TheHighestRankIsUsedWhateverTheNamesAndHoweverFarTheScanGoes) {
  const std::string high_first = Add("VariantBest", "Mock_A_backend.so");
  const std::string low_last = Add("VariantLow", "Mock_B_backend.so");
  for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kInProcess, ProbeMode::kChild}) {
    const LoadReport report = Scan(MakeOptions(probe));
    EXPECT_TRUE(IsUsable(GetStatus(report, high_first)));
    EXPECT_EQ(GetStatus(report, low_last), "shadowed");
    EXPECT_EQ(FindCandidate(report, low_last)->shadowed_by, high_first);
    EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 0U);
    ASSERT_EQ(report.variants.size(), 1U);
    EXPECT_EQ(report.variants[0].id, "MockVariant");
    EXPECT_THAT(report.variants[0].files, ElementsAre(high_first, low_last));
  }
  fs::rename(high_first, directory_.GetPath() + "/Mock_Z_backend.so");
  const LoadReport renamed = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(renamed, directory_.GetPath() + "/Mock_Z_backend.so"), "loaded");
  EXPECT_EQ(GetStatus(renamed, low_last), "shadowed");
}

TEST_F(Variants, OnlyTheOneThatIsUsedIsOpened) {
  Add("VariantLow", "Mock_A_backend.so");
  Add("VariantBest", "Mock_B_backend.so");
  Add("VariantOld", "Mock_C_backend.so");
  EXPECT_THAT(ListOpened(MakeOptions()), ElementsAre("Mock_B_backend.so"));
}

TEST_F(Variants, FilesWithoutManifestAreOpenedFirstSoThatNoOtherIsInVain) {
  Add("VariantBest", "Mock_A_backend.so");
  Add("VariantLow", "Mock_B_backend.so");
  Add("VariantWithoutManifest", "Mock_C_backend.so");
  EXPECT_THAT(ListOpened(MakeOptions()), ElementsAre("Mock_C_backend.so", "Mock_A_backend.so"));
}

TEST_F(Variants, TheCodeOfTheOthersDoesNotRunInAChildEither) {
  const std::string best = Add("VariantBest", "Mock_A_backend.so");
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  const LoadReport report = Scan(MakeOptions(ProbeMode::kChild));
  EXPECT_EQ(FindCandidate(report, best)->where, ProbedIn::kChild);
  EXPECT_EQ(FindCandidate(report, low)->where, ProbedIn::kFile);
}

TEST_F(Variants, TheNextTakesThePlaceOfOneThatEndsItsProcess) {
  // Another id, but the same place by version of a name.
  const std::string crashes = Add("CrashInConstructor", "Mock_A_backend.so");
  const std::string next = Add("VariantBest", "Mock_A_backend.so.1");
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  const LoadReport report = Scan(MakeOptions(ProbeMode::kChild));
  EXPECT_EQ(GetStatus(report, crashes), "rejected");
  EXPECT_EQ(GetStatus(report, next), "loaded");
  EXPECT_EQ(GetStatus(report, low), "shadowed");
}

TEST_F(Variants, TheNextTakesThePlaceOfOneThatIsRejectedByItsFile) {
  const std::string best = Add("VariantBest", "Mock_A_backend.so");
  fs::permissions(best, fs::perms::others_write, fs::perm_options::add);
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, best), "rejected");
  EXPECT_EQ(GetStatus(report, low), "loaded");
}

TEST_F(Variants, OneForAnotherProcessorIsNoFaultWhenThereIsOneForThis) {
  const std::string other = Add("VariantOfOtherCpu", "Mock_A_backend.so");
  const LoadReport alone = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(alone, other), "rejected") << "nothing can be used";
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kInProcess, ProbeMode::kChild}) {
    const LoadReport report = Scan(MakeOptions(probe));
    EXPECT_TRUE(IsUsable(GetStatus(report, low)));
    EXPECT_EQ(GetStatus(report, other), "shadowed");
    EXPECT_THAT(GetReason(report, other), HasSubstr("needs what this CPU does not have: quantum"));
    EXPECT_EQ(GetHeadline(*FindCandidate(report, other)), nullptr);
  }
}

TEST_F(Variants, OfAnotherVendorAreAnError) {
  const std::string first = Add("DuplicateFirst", "Acme_A_backend.so");
  const std::string loud = Add("DuplicateForeign", "Loud_A_backend.so");
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, first), "loaded");
  EXPECT_EQ(GetStatus(report, loud), "rejected");
  EXPECT_THAT(GetReason(report, loud),
              AllOf(HasSubstr("BP5101"), HasSubstr("\"Acme\""), HasSubstr("\"Loud\"")));
}

TEST_F(Variants, OfAnotherVendorTakeThePlaceOfNoneThatCanBeUsed) {
  const std::string first = Add("VariantOfOtherCpu", "Mock_A_backend.so");
  const std::string loud = Add("VariantWithoutManifest", "Loud_A_backend.so");
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, loud), "loaded");
  EXPECT_EQ(GetStatus(report, first), "rejected") << "no variant of that vendor can be used";
}

TEST_F(Variants, ANameOfAnEarlierSearchPathReplacesThatOfALaterOne) {
  const std::string own = Add("VariantLow", "own/Mock_Npu_backend.so");
  const std::string system = Add("VariantBest", "system/Mock_Npu_backend.so");
  ScanOptions options;
  options.search_paths = {{directory_.GetPath() + "/own"}, {directory_.GetPath() + "/system"}};
  LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, own), "loaded");
  EXPECT_EQ(GetStatus(report, system), "shadowed");
  EXPECT_THAT(GetReason(report, system), HasSubstr("same name and is in an earlier directory"));

  const std::string other = Add("VariantOld", "system/Mock_Other_backend.so");
  report = Scan(options);
  EXPECT_EQ(GetStatus(report, other), "loaded") << "of another name, and of a higher rank";
  EXPECT_EQ(GetStatus(report, own), "shadowed");
  EXPECT_EQ(GetStatus(report, system), "shadowed");

  fs::permissions(own, fs::perms::others_write, fs::perm_options::add);
  fs::remove(other);
  report = Scan(options);
  EXPECT_EQ(GetStatus(report, own), "rejected");
  EXPECT_EQ(GetStatus(report, system), "loaded") << "the first cannot be used";
}

TEST_F(Variants, OfEqualRankAndVersionTheFirstSearchPathDecides) {
  const std::string later = Add("VariantBest", "b/Mock_A_backend.so");
  const std::string earlier = Add("VariantBest", "a/Mock_Z_backend.so");
  ScanOptions options;
  options.search_paths = {{directory_.GetPath() + "/a"}, {directory_.GetPath() + "/b"}};
  const LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, earlier), "loaded");
  EXPECT_EQ(GetStatus(report, later), "shadowed");
}

TEST_F(Variants, VersionsOfOneNameAreTriedBeforeOthersAndNotLookedAtBehindOneThatPasses) {
  const std::string name = Add("VariantLow", "Mock_A_backend.so");
  const std::string version = Add("VariantBest", "Mock_A_backend.so.9");
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, name), "loaded") << "the name without version comes first";
  EXPECT_EQ(GetStatus(report, version), "shadowed");
  EXPECT_THAT(report.variants, IsEmpty()) << "what the other gives was not read";
}

TEST_F(Variants, LinksToOneFileAreNoVariants) {
  const std::string file = Add("VariantBest", "Mock_A_backend.so");
  const std::string link = directory_.GetPath() + "/Mock_B_backend.so";
  fs::create_symlink("Mock_A_backend.so", link);
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, file), "loaded");
  EXPECT_THAT(GetReason(report, link), HasSubstr("is the same file as " + file));
  EXPECT_THAT(report.variants, IsEmpty());
}

TEST_F(Variants, ADisabledOneLeavesItsPlaceToTheNext) {
  const std::string best = Add("VariantBest", "Mock_A_backend.so");
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  ScanOptions options = MakeOptions();
  options.disabled = {"Mock_A*"};
  LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, best), "skipped");
  EXPECT_EQ(GetStatus(report, low), "loaded");
  options.disabled = {"MockVariant"};
  report = Scan(options);
  EXPECT_EQ(GetStatus(report, low), "skipped");
}

TEST_F(Variants, ARegisteredIdIsNotTakenByAnyOfThem) {
  const std::string first = Add("VariantLow", "one/Mock_A_backend.so");
  const std::string best = Add("VariantBest", "two/Mock_B_backend.so");
  BackendRegistry registry;
  LoadFolders({directory_.GetPath() + "/one"}, registry);
  const LoadReport report = LoadFolders({directory_.GetPath() + "/two"}, registry);
  EXPECT_EQ(GetStatus(report, best), "shadowed");
  EXPECT_THAT(GetReason(report, best), HasSubstr("it was registered before"));
  EXPECT_EQ(registry.GetRegistration("MockVariant").source, first);
}

TEST_F(Variants, BackendsAreRegisteredInTheOrderOfTheFirstFileOfEachId) {
  Add("VariantLow", "Mock_A_backend.so");
  Add("ValidA", "Mock_B_backend.so");
  Add("VariantBest", "Mock_C_backend.so");
  BackendRegistry registry;
  LoadFolders({directory_.GetPath()}, registry);
  EXPECT_THAT(registry.GetBackendIds(), ElementsAre("MockVariant", "MockValidA"));
}

// ---- pins -------------------------------------------------------------------------------------

TEST_F(Variants, APinDecidesByFileNameOrPath) {
  Add("VariantBest", "Mock_A_backend.so");
  const std::string low = Add("VariantLow", "Mock_B_backend.so");
  for (const std::string& pin : {std::string("Mock_B_backend.so"), std::string("*_B_*"), low}) {
    for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kInProcess, ProbeMode::kChild}) {
      ScanOptions options = MakeOptions(probe);
      options.variants = {{"MockVariant", pin}};
      const LoadReport report = Scan(options);
      EXPECT_TRUE(IsUsable(GetStatus(report, low))) << pin;
      EXPECT_THAT(GetReason(report, directory_.GetPath() + "/Mock_A_backend.so"),
                  HasSubstr("the backend is to be \"" + pin + "\""));
      EXPECT_THAT(report.diagnostics, IsEmpty());
    }
  }
}

TEST_F(Variants, APinThatMeansNothingSaysWhatThereIs) {
  const std::string best = Add("VariantBest", "Mock_A_backend.so");
  ScanOptions options = MakeOptions();
  options.variants = {{"MockVariant", "Mock_Absent*"}, {"Nothing", "x"}};
  BackendRegistry registry;
  const LoadReport report = LoadBackends(options, registry);
  EXPECT_EQ(GetStatus(report, best), "shadowed") << "no other takes its place";
  ASSERT_EQ(report.diagnostics.size(), 2U);
  EXPECT_EQ(report.diagnostics[0].code, DiagnosticCode::kVariantPinUnmet);
  EXPECT_THAT(ToText(report.diagnostics[0]),
              AllOf(HasSubstr("\"Mock_Absent*\""), HasSubstr("found besides: " + best)));
  EXPECT_THAT(ToText(report.diagnostics[1]), HasSubstr("nothing that was found gives this id"));
  try {
    registry.GetRegistration("MockVariant");
    ADD_FAILURE() << "it is pinned to nothing";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().causes.at(0).code, DiagnosticCode::kVariantPinUnmet);
  }
}

TEST_F(Variants, APinOfARejectedFileSaysItsReasonAndNoOtherTakesItsPlace) {
  const std::string broken = Add("VariantThrows", "Mock_A_backend.so");
  const std::string good = Add("VariantStandsIn", "Mock_B_backend.so");
  ScanOptions options = MakeOptions();
  options.variants = {{"MockStandIn", "Mock_A*"}};
  const LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, broken), "rejected");
  EXPECT_EQ(GetStatus(report, good), "shadowed");
  ASSERT_EQ(report.diagnostics.size(), 1U);
  EXPECT_THAT(ToText(report.diagnostics[0]),
              AllOf(HasSubstr(broken + " is rejected"), HasSubstr("found besides: " + good)));
}

TEST_F(Variants, APinDecidesBetweenVendors) {
  const std::string first = Add("DuplicateFirst", "Acme_A_backend.so");
  const std::string loud = Add("DuplicateForeign", "Loud_A_backend.so");
  ScanOptions options = MakeOptions();
  options.variants = {{"MockDuplicate", "Loud_*"}};
  const LoadReport report = Scan(options);
  EXPECT_EQ(GetStatus(report, loud), "loaded");
  EXPECT_EQ(GetStatus(report, first), "shadowed");
}

// ---- directories of CPU levels ----------------------------------------------------------------

bool IsX86() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

TEST_F(Variants, InADirectoryOfALevelOfThisProcessorAreCandidates) {
  if (!IsX86()) GTEST_SKIP() << "this processor has no levels";
  const std::string base = Add("VariantBest", "Mock_A_backend.so");
  const std::string level = Add("VariantBest", "x86-64-v1/Mock_A_backend.so");
  LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, level), "loaded") << "the higher level";
  EXPECT_EQ(FindCandidate(report, level)->cpu_level, 1U);
  EXPECT_THAT(GetReason(report, base), HasSubstr("its CPU level is any"));
  fs::remove(level);
  Add("VariantOld", "x86-64-v1/Mock_A_backend.so");
  report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, base), "loaded") << "its version is higher";
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kSkipped), 0U);
}

TEST_F(Variants, InADirectoryOfAnotherLevelAreLeftOutWithAWord) {
  const std::string base = Add("VariantLow", "Mock_A_backend.so");
  const std::string other = Add("VariantBest", "x86-64-v77/Mock_B_backend.so");
  Add("VariantBest", "z15/Mock_C_backend.so");
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(GetStatus(report, base), "loaded");
  EXPECT_EQ(GetStatus(report, other), "absent");
  ASSERT_EQ(report.search_paths.size(), 1U);
  EXPECT_TRUE(report.search_paths[0].is_scanned);
  ASSERT_EQ(report.search_paths[0].diagnostics.size(), 2U);
  for (const Diagnostic& diagnostic : report.search_paths[0].diagnostics) {
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kCpuLevelLeftOut);
    EXPECT_EQ(diagnostic.severity, Severity::kNote);
  }
}

TEST_F(Variants, ManyOfOneIdAreTakenInTheTimeOfTheirFiles) {
  for (int i = 0; i < 300; ++i) {
    const std::string name = "/Mock_N" + std::to_string(i) + "_backend.so";
    fs::copy(GetMockRow(i % 2 == 0 ? "VariantLow" : "VariantOld").path,
             directory_.GetPath() + name);
  }
  const LoadReport report = Scan(MakeOptions());
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kShadowed), 299U);
}

// ---- two builds of one backend, as a vendor ships them ----------------------------------------

TEST(VariantsOfABuild, ForTwoProcessorsGiveTheBetterOneThatCanRun) {
  const MockDirectory directory;
  const std::string v3 = directory.GetPath() + "/Vendor_NpuV3_backend.so";
  const std::string v4 = directory.GetPath() + "/Vendor_NpuV4_backend.so";
  fs::copy(test::InBuildTree("test/integration/Vendor_NpuV3_backend.so"), v3);
  fs::copy(test::InBuildTree("test/integration/Vendor_NpuV4_backend.so"), v4);
#if defined(__x86_64__)
  const bool has_v3 = __builtin_cpu_supports("avx2") != 0;
  const bool has_v4 = __builtin_cpu_supports("avx512f") != 0;
#else
  const bool has_v3 = false;
  const bool has_v4 = false;
#endif
  for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kInProcess, ProbeMode::kChild}) {
    ScanOptions options;
    options.search_paths = {{directory.GetPath()}};
    options.probe = probe;
    const LoadReport report = Scan(options);
    const std::size_t num_usable = CountCandidates(report, CandidateStatus::kLoaded) +
                                   CountCandidates(report, CandidateStatus::kInspected);
    EXPECT_EQ(num_usable, has_v3 || has_v4 ? 1U : 0U);
    EXPECT_EQ(IsUsable(GetStatus(report, v4)), has_v4);
    EXPECT_EQ(IsUsable(GetStatus(report, v3)), has_v3 && !has_v4);
    EXPECT_EQ(GetStatus(report, v3) == "shadowed", has_v4);
    EXPECT_EQ(GetStatus(report, v4) == "shadowed", has_v3 && !has_v4);
  }
}

}  // namespace
}  // namespace backplane::test
