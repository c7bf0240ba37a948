/// Verdicts of child processes that are kept: when they stand for a run, and when not.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

class Verdicts : public ::testing::Test {
 protected:
  LoadReport ScanAgain(VerdictUse use = VerdictUse::kUse) const {
    ScanOptions options;
    options.search_paths.push_back({backends_.GetPath()});
    options.probe = ProbeMode::kChild;
    options.probe_settings.verdicts = use;
    options.probe_settings.verdict_directory = cache_;
    options.probe_settings.program = program_;
    return Scan(options);
  }

  /// Whether the one backend was run now. It must be usable.
  bool IsRun(VerdictUse use = VerdictUse::kUse) const {
    const LoadReport report = ScanAgain(use);
    EXPECT_FALSE(report.candidates.empty());  // libraries beside it are listed behind it
    const Candidate& candidate = report.candidates.front();
    const Diagnostic* headline = GetHeadline(candidate);
    EXPECT_EQ(candidate.status, CandidateStatus::kLoaded)
        << (headline != nullptr ? ToText(*headline) : "");
    EXPECT_EQ(candidate.where, ProbedIn::kChild);
    return !candidate.verdict_of;
  }

  std::vector<std::string> ListRecords() const {
    std::vector<std::string> records;
    if (!fs::exists(cache_)) return records;
    for (const auto& entry : fs::directory_iterator(cache_)) records.push_back(entry.path());
    return records;
  }

  const MockDirectory backends_;
  const MockDirectory scratch_;
  const std::string cache_ = scratch_.GetPath() + "/cache";
  std::string program_;
};

TEST_F(Verdicts, StandForARunAndSayTheSame) {
  backends_.Add("Complete");
  const LoadReport first = ScanAgain();
  const LoadReport second = ScanAgain();
  ASSERT_EQ(second.candidates.size(), 1U);
  EXPECT_FALSE(first.candidates[0].verdict_of);
  ASSERT_TRUE(second.candidates[0].verdict_of);
  ASSERT_TRUE(second.candidates[0].identity);
  EXPECT_EQ(second.candidates[0].identity->id, first.candidates[0].identity->id);
  EXPECT_EQ(second.candidates[0].identity->tensor_handle_factories,
            first.candidates[0].identity->tensor_handle_factories);
  EXPECT_EQ(second.candidates[0].stage, first.candidates[0].stage);
}

TEST_F(Verdicts, EndWithAnotherFileOfTheSameName) {
  const std::string path = backends_.Add("ValidA");
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  fs::copy(path, path + ".new");
  fs::rename(path + ".new", path);
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
}

TEST_F(Verdicts, EndWhenALibraryItNeedsIsReplaced) {
  // Its directory stands beside the backends, as the run path of the row says.
  backends_.Add("NeedsLibrary");
  const std::string library = backends_.GetPath() + "/libmock_needed.so";
  fs::copy(test::InBuildTree(BACKPLANE_MOCK_NEEDED_LIBRARY), library);
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  fs::copy(library, library + ".new");
  fs::rename(library + ".new", library);
  EXPECT_TRUE(IsRun());
}

TEST_F(Verdicts, EndWhenAFileAppearsWhereTheLoaderWouldLookFirst) {
  backends_.Add("NeedsLibrary");
  fs::copy(test::InBuildTree(BACKPLANE_MOCK_NEEDED_LIBRARY),
           backends_.GetPath() + "/libmock_needed.so");
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  std::ofstream(backends_.GetPath() + "/another_file") << "x";
  const LoadReport report = ScanAgain();
  EXPECT_FALSE(report.candidates[0].verdict_of) << "a directory of its run path has changed";
}

TEST_F(Verdicts, EndWithAnotherEnvironmentOfTheLoader) {
  backends_.Add("ValidA");
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  setenv("LD_LIBRARY_PATH", scratch_.GetPath().c_str(), 1);
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  unsetenv("LD_LIBRARY_PATH");
}

TEST_F(Verdicts, AreNotTakenFromDamagedRecords) {
  backends_.Add("ValidA");
  EXPECT_TRUE(IsRun());
  ASSERT_EQ(ListRecords().size(), 1U);
  const std::string record = ListRecords().front();
  fs::resize_file(record, fs::file_size(record) / 2);
  EXPECT_TRUE(IsRun());
  std::ofstream(record) << "not a record";
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun()) << "it was written anew";
}

TEST_F(Verdicts, AreNotTakenFromWhatOthersMayWrite) {
  backends_.Add("ValidA");
  EXPECT_TRUE(IsRun());
  ASSERT_EQ(chmod(ListRecords().front().c_str(), 0666), 0);
  EXPECT_TRUE(IsRun());
}

TEST_F(Verdicts, AreNeitherReadNorKeptWhenTheyAreIgnored) {
  backends_.Add("ValidA");
  EXPECT_TRUE(IsRun(VerdictUse::kIgnore));
  EXPECT_TRUE(ListRecords().empty());
  EXPECT_TRUE(IsRun());
  EXPECT_TRUE(IsRun(VerdictUse::kIgnore));
}

TEST_F(Verdicts, AreGivenAnewWhenTheyAreRefreshed) {
  backends_.Add("ValidA");
  EXPECT_TRUE(IsRun());
  EXPECT_TRUE(IsRun(VerdictUse::kRefresh));
  EXPECT_FALSE(IsRun());
}

TEST_F(Verdicts, OfBackendsThatFailAreNotKept) {
  for (const char* row : {"CrashInConstructor", "FactoryUnavailable", "FactoryThrows"}) {
    backends_.Add(row);
  }
  ScanAgain();
  EXPECT_TRUE(ListRecords().empty());
  for (const Candidate& candidate : ScanAgain().candidates) EXPECT_FALSE(candidate.verdict_of);
}

TEST_F(Verdicts, SayOnceThatNothingCanBeKept) {
  backends_.Add("ValidA");
  backends_.Add("ValidB");
  std::ofstream(cache_) << "in the way";
  for (int time = 0; time < 2; ++time) {
    const LoadReport report = ScanAgain();
    EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 2U);
    EXPECT_FALSE(report.candidates.front().verdict_of);
    ASSERT_EQ(report.configuration.diagnostics.size(), 1U);
    const Diagnostic& warning = report.configuration.diagnostics.front();
    EXPECT_EQ(warning.code, DiagnosticCode::kVerdictsNotKept);
    EXPECT_EQ(warning.severity, Severity::kWarning);
    EXPECT_EQ(warning.subject.name, cache_);
    EXPECT_NE(warning.why.find("found a file"), std::string::npos) << warning.why;
  }
  EXPECT_TRUE(ScanAgain(VerdictUse::kIgnore).configuration.diagnostics.empty());
}

/// Its device may be gone since, and nothing else opens it here.
TEST_F(Verdicts, AreNotAskedOfBackendsThatRestOnADevice) {
  backends_.Add("OpensLibrary");
  EXPECT_TRUE(IsRun());
  EXPECT_TRUE(IsRun());
  ScanOptions options;
  options.search_paths.push_back({backends_.GetPath()});
  options.probe = ProbeMode::kChild;
  options.probe_settings.verdict_directory = cache_;
  BackendRegistry registry;
  EXPECT_TRUE(LoadBackends(options, registry).candidates.front().verdict_of)
      << "it is asked again when it is opened here";
}

TEST_F(Verdicts, AreForgottenWithADeviceThatWasOpen) {
  struct stat device {};
  const TemporaryDirectory directory;
  const std::string path = directory / "device";
  const bool is_made =
      stat("/dev/fuse", &device) == 0 && mknod(path.c_str(), S_IFCHR | 0600, device.st_rdev) == 0;
  const int opened = is_made ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (opened < 0) GTEST_SKIP() << "no device can be opened here";
  close(opened);
  const ScopedVariable variable("MOCK_DEVICE", path.c_str());
  backends_.Add("OpensDevice");
  EXPECT_TRUE(IsRun());
  EXPECT_FALSE(IsRun());
  std::filesystem::remove(path);
  const Candidate without = ScanAgain().candidates.front();
  EXPECT_FALSE(without.verdict_of) << "its device is gone";
  EXPECT_EQ(without.status, CandidateStatus::kRejected);
}

}  // namespace
}  // namespace backplane::test
