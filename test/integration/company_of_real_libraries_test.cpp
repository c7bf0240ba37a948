/// Backends that clash with the real libraries, as far as those are installed.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string GetRealMock(const std::string& folder, const std::string& row) {
  return InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR) + '/' + folder + "/Mock_" + row + "_backend.so";
}

LoadReport ScanFiles(const std::vector<std::string>& files, ProbeMode probe) {
  ScanOptions options;
  options.files = files;
  options.probe = probe;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  return Scan(options);
}

const Diagnostic* FindClash(const LoadReport& report, const std::string& path,
                            DiagnosticCode code) {
  const Candidate* candidate = FindCandidate(report, path);
  return candidate != nullptr ? FindDiagnostic(*candidate, code) : nullptr;
}

TEST(RealProtobuf, IsNotGivenOneFileTwice) {
  const std::string first = GetRealMock("clash-real-proto", "RealProtoA");
  const std::string second = GetRealMock("clash-real-proto", "RealProtoB");
  if (!fs::exists(second)) GTEST_SKIP() << "libprotobuf-dev and protobuf-compiler are missing";
  for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kChild, ProbeMode::kInProcess}) {
    const LoadReport report = ScanFiles({first, second}, probe);
    const Diagnostic* clash = FindClash(report, second, DiagnosticCode::kSameProtoFile);
    ASSERT_NE(clash, nullptr) << ToJson(report);
    EXPECT_THAT(ToText(*clash), AllOf(HasSubstr("onnx/onnx-ml.proto"), HasSubstr(first)));
    EXPECT_EQ(CountCandidates(report, CandidateStatus::kRejected), 1U);
  }
}

TEST(RealOpenMp, OfTwoCompilersIsToldOfBoth) {
  const std::string first = GetRealMock("clash-real-openmp", "RealOpenMpOfGcc");
  const std::string second = GetRealMock("clash-real-openmp", "RealOpenMpOfLlvm");
  if (!fs::exists(first) || !fs::exists(second)) GTEST_SKIP() << "libgomp or libomp is missing";
  // From the files: both runtimes keep memory when they are closed, which a sanitizer calls a leak.
  const LoadReport report = ScanFiles({first, second}, ProbeMode::kInspect);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kInspected), 2U);
  for (const std::string& path : {first, second}) {
    const Diagnostic* clash = FindClash(report, path, DiagnosticCode::kTwoOpenMpRuntimes);
    ASSERT_NE(clash, nullptr) << ToJson(report);
    EXPECT_EQ(clash->severity, Severity::kWarning);
    EXPECT_THAT(clash->why, AllOf(HasSubstr("libgomp.so.1"), HasSubstr("libomp.so.5")));
  }
}

TEST(RealLibraries, ThatManyBackendsNeedDoNotClash) {
  std::vector<std::string> files;
  for (const char* row : {"RealOpenCl", "RealOpenBlas"}) {
    const std::string path = GetRealMock("clash-real-none", row);
    if (fs::exists(path)) files.push_back(path);
  }
  if (files.empty()) GTEST_SKIP() << "libOpenCL.so.1 and libopenblas.so.0 are missing";
  const std::string gcc = GetRealMock("clash-real-openmp", "RealOpenMpOfGcc");
  if (fs::exists(gcc)) files.push_back(gcc);
#ifdef BACKPLANE_BACKENDS_FOLDER
  for (const auto& own : fs::directory_iterator(InBuildTree(BACKPLANE_BACKENDS_FOLDER))) {
    files.push_back(own.path().string());
  }
#endif
  const LoadReport report = ScanFiles(files, ProbeMode::kInspect);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kInspected), files.size()) << ToJson(report);
  for (const Candidate& candidate : report.candidates) {
    EXPECT_THAT(candidate.clashes, IsEmpty()) << candidate.path;
  }
}

#ifdef BACKPLANE_BACKENDS_FOLDER
TEST(OwnBackends, DoNotClash) {
  ScanOptions options;
  options.search_paths.push_back({InBuildTree(BACKPLANE_BACKENDS_FOLDER)});
  options.probe = ProbeMode::kInspect;
  for (const Candidate& candidate : Scan(options).candidates) {
    EXPECT_THAT(candidate.clashes, IsEmpty()) << candidate.path;
  }
}

TEST(OwnBackends, AreWarnedOfAnotherOpenMp) {
  const fs::path own =
      fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuAcc_backend.so";
  const std::string other = GetRealMock("clash-real-openmp", "RealOpenMpOfLlvm");
  if (!fs::exists(own) || !fs::exists(other)) GTEST_SKIP() << "CpuAcc or libomp is missing";
  const LoadReport report = ScanFiles({own, other}, ProbeMode::kInspect);
  EXPECT_NE(FindClash(report, own, DiagnosticCode::kTwoOpenMpRuntimes), nullptr);
  EXPECT_NE(FindClash(report, other, DiagnosticCode::kTwoOpenMpRuntimes), nullptr);
}
#endif

}  // namespace
}  // namespace backplane::test
