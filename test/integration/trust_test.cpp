/// Which files of a scan may be opened, over real backends.

#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

class Trust : public ::testing::Test {
 protected:
  /// Scans the directory, or only the files when there are any.
  LoadReport ScanWith(const TrustOptions& trust, const std::vector<std::string>& files = {},
                      ProbeMode probe = ProbeMode::kInProcess) const {
    ScanOptions options;
    options.probe = probe;
    options.trust = trust;
    options.files = files;
    if (files.empty()) options.search_paths.push_back({directory_.GetPath()});
    return Scan(options);
  }

  const MockDirectory directory_;
};

void ExpectRejected(const Candidate& candidate, DiagnosticCode code) {
  EXPECT_STREQ(GetCandidateStatusName(candidate.status), "rejected");
  EXPECT_STREQ(GetStageName(candidate.stage), GetStageName(Stage::kFile));
  ASSERT_NE(GetHeadline(candidate), nullptr);
  EXPECT_STREQ(GetDiagnosticName(GetHeadline(candidate)->code), GetDiagnosticName(code));
}

TEST_F(Trust, DoesNotReadARefusedFileAnyFurther) {
  const std::string path = directory_.Add("TextFile");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  const LoadReport report = ScanWith({});
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates[0];
  ExpectRejected(candidate, DiagnosticCode::kWritableByOthers);
  EXPECT_EQ(candidate.diagnostics.size(), 1U) << "that it is no ELF file is not known";
  for (const StageRecord& run : candidate.stages) EXPECT_LE(run.stage, Stage::kFile);
}

TEST_F(Trust, TakesAFileByATrustedPathAfterAnotherWasRefused) {
  const std::string path = directory_.Add("ValidA");
  const std::string open = directory_.GetPath() + "/open";
  std::filesystem::create_directory(open);
  ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
  const std::string link = open + "/Mock_Link_backend.so";
  std::filesystem::create_symlink(path, link);
  for (const ProbeMode probe : {ProbeMode::kInProcess, ProbeMode::kChild}) {
    const LoadReport report = ScanWith({}, {link, path}, probe);
    ASSERT_EQ(report.candidates.size(), 2U);
    ExpectRejected(report.candidates[0], DiagnosticCode::kDirectoryWritableByOthers);
    EXPECT_STREQ(GetCandidateStatusName(report.candidates[1].status), "loaded");
  }
}

/// X.so, a link through `middle`, and X.so.1, the file, are versions of one backend.
std::string SplitIntoLinkAndVersion(const std::string& path, const std::string& middle) {
  std::filesystem::rename(path, path + ".1");
  std::filesystem::create_symlink(path + ".1", middle);
  if (middle != path) std::filesystem::create_symlink(middle, path);
  return path + ".1";
}

TEST_F(Trust, TakesAVersionWhoseOtherNameWasRefused) {
  const std::string link = directory_.Add("ValidA");
  const std::string open = directory_.GetPath() + "/open";
  std::filesystem::create_directory(open);
  ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
  const std::string version = SplitIntoLinkAndVersion(link, open + "/middle");
  for (const ProbeMode probe : {ProbeMode::kInProcess, ProbeMode::kChild}) {
    const LoadReport report = ScanWith({}, {}, probe);
    ExpectRejected(*FindCandidate(report, link), DiagnosticCode::kDirectoryWritableByOthers);
    EXPECT_STREQ(GetCandidateStatusName(FindCandidate(report, version)->status), "loaded");
  }
}

TEST_F(Trust, RefusesBothNamesOfAnUnlistedFile) {
  const std::string link = directory_.Add("ValidA");
  const std::string version = SplitIntoLinkAndVersion(link, link);
  const std::string list = directory_.GetPath() + "/list";
  std::ofstream(list) << std::string(64, '0') << "  other\n";
  for (const ProbeMode probe : {ProbeMode::kInspect, ProbeMode::kInProcess, ProbeMode::kChild}) {
    const LoadReport report = ScanWith({TrustPolicy::kOwner, list}, {}, probe);
    for (const std::string& path : {link, version}) {
      ExpectRejected(*FindCandidate(report, path), DiagnosticCode::kDigestNotListed);
      EXPECT_THAT(GetHeadline(*FindCandidate(report, path))->what, HasSubstr(path));
    }
  }
}

TEST_F(Trust, TakesTheNextVersionAndAsksNothingOfTheOnesBehindIt) {
  const std::string first = directory_.Add("ValidA");
  const std::string second = first + ".2";
  const std::string third = first + ".1";
  std::filesystem::copy(first, second);
  std::filesystem::copy(first, third);
  ASSERT_EQ(::chmod(first.c_str(), 0666), 0);
  ASSERT_EQ(::chmod(third.c_str(), 0666), 0);
  const LoadReport report = ScanWith({});
  ExpectRejected(*FindCandidate(report, first), DiagnosticCode::kWritableByOthers);
  EXPECT_STREQ(GetCandidateStatusName(FindCandidate(report, second)->status), "loaded");
  EXPECT_STREQ(GetCandidateStatusName(FindCandidate(report, third)->status), "shadowed");
}

TEST_F(Trust, OffTakesWhatAnyUserMayWrite) {
  const std::string path = directory_.Add("ValidA");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  const LoadReport report = ScanWith({TrustPolicy::kOff, ""});
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
}

TEST_F(Trust, StrictRefusesWhatIsBelowASharedTemporaryDirectory) {
  struct stat status {};
  ASSERT_EQ(::stat("/tmp", &status), 0);
  if ((status.st_mode & S_IWOTH) == 0) GTEST_SKIP() << "/tmp is not shared here";
  directory_.Add("ValidA");
  const LoadReport report = ScanWith({TrustPolicy::kStrict, ""});
  ASSERT_EQ(report.candidates.size(), 1U);
  ExpectRejected(report.candidates[0], DiagnosticCode::kDirectoryWritableByOthers);
  EXPECT_THAT(GetHeadline(report.candidates[0])->why,
              HasSubstr("the directory /tmp with mode 1777"));
}

TEST_F(Trust, AListThatCannotBeReadRefusesEveryFile) {
  directory_.Add("ValidA");
  directory_.Add("ValidB");
  const LoadReport report = ScanWith({TrustPolicy::kOwner, directory_.GetPath() + "/none"});
  ASSERT_EQ(report.candidates.size(), 2U);
  for (const Candidate& candidate : report.candidates) {
    ExpectRejected(candidate, DiagnosticCode::kDigestListUnreadable);
  }
}

}  // namespace
}  // namespace backplane::test
