#include "configuration/drop_in_directory.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

namespace backplane::configuration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DropInDirectory : public ::testing::Test {
 protected:
  DropInDirectory() { Allow("", 0755); }

  /// A file that only this user may write, whatever the umask.
  void Write(const std::string& name, const std::string& text) const {
    directory_.Write(name, text);
    Allow(name, 0644);
  }

  void Allow(const std::string& name, mode_t mode) const {
    EXPECT_EQ(::chmod((directory_ / name).c_str(), mode), 0) << name;
  }

  Configuration Read(TrustPolicy policy = TrustPolicy::kOwner) const {
    Configuration configuration;
    EXPECT_EQ(ReadDropIns(directory_.GetPath(), policy, configuration), 0);
    return configuration;
  }

  static std::vector<std::string> GetPreferred(const Configuration& configuration) {
    std::vector<std::string> ids;
    for (const Setting& setting : configuration.preferred) ids.push_back(setting.value);
    return ids;
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(DropInDirectory, ReadsFilesInTheByteOrderOfTheirNames) {
  Write("b.conf", "prefer = Fourth");
  Write("9.conf", "prefer = Second");
  Write("10.conf", "prefer = First");
  Write("B.conf", "prefer = Third");
  EXPECT_THAT(GetPreferred(Read()), ElementsAre("First", "Second", "Third", "Fourth"));
}

TEST_F(DropInDirectory, PassesOverOtherNames) {
  for (const char* name :
       {".conf", ".hidden.conf", "10-npu.conf.bak", "10-npu.conf~", "README", "10-npu.CONF"}) {
    Write(name, "prefer = Npu");
  }
  const Configuration configuration = Read();
  EXPECT_THAT(configuration.preferred, IsEmpty());
  EXPECT_THAT(configuration.diagnostics, IsEmpty());
}

TEST_F(DropInDirectory, FollowsLinks) {
  directory_.Link("10.conf", directory_ / "npu");
  Write("npu", "prefer = Npu");
  EXPECT_THAT(GetPreferred(Read()), ElementsAre("Npu"));
}

TEST_F(DropInDirectory, SaysWhichFilesCannotBeReadAndReadsTheOthers) {
  std::filesystem::create_directory(directory_ / "1.conf");
  ASSERT_EQ(::mkfifo((directory_ / "2.conf").c_str(), 0644), 0);
  directory_.Link("3.conf", directory_ / "absent");
  directory_.Link("4.conf", "4.conf");
  Write("5.conf", std::string(kMaxDropInBytes + 1, '#'));
  directory_.Link("6.conf", "/dev/null");
  Write("7.conf", "prefer = Npu");
  const Configuration configuration = Read();
  EXPECT_THAT(GetPreferred(configuration), ElementsAre("Npu"));
  const char* expected[] = {"found a directory, expected a file",
                            "found a special file, expected a regular one",
                            "found: No such file or directory, expected a file that uid",
                            "Too many levels of symbolic links",
                            "found 65537 bytes, expected at most 65536",
                            "found a special file"};
  ASSERT_EQ(configuration.diagnostics.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const Diagnostic& fault = configuration.diagnostics[i];
    EXPECT_EQ(fault.code, DiagnosticCode::kConfigurationFileUnusable);
    EXPECT_EQ(fault.severity, Severity::kWarning);
    EXPECT_EQ(fault.subject.name, directory_ / (std::to_string(i + 1) + ".conf"));
    EXPECT_THAT(fault.why, HasSubstr(expected[i]));
  }
}

TEST_F(DropInDirectory, LeavesOutAFileThatOthersMayWrite) {
  Write("10.conf", "prefer = Npu\npath = /opt/npu\n");
  Allow("10.conf", 0646);
  Write("20.conf", "prefer = Gpu");
  const Configuration configuration = Read();
  EXPECT_THAT(GetPreferred(configuration), ElementsAre("Gpu"));
  EXPECT_THAT(configuration.search_paths, IsEmpty());
  EXPECT_THAT(configuration.digests, IsEmpty());
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  const Diagnostic& fault = configuration.diagnostics[0];
  EXPECT_EQ(fault.code, DiagnosticCode::kConfigurationFileDistrusted);
  EXPECT_EQ(fault.what, "the drop-in file " + (directory_ / "10.conf") + " was left out");
  EXPECT_THAT(fault.fix, HasSubstr("chmod o-w " + (directory_ / "10.conf")));
  ASSERT_EQ(fault.causes.size(), 1U);
  EXPECT_EQ(fault.causes[0].code, DiagnosticCode::kWritableByOthers);
}

TEST_F(DropInDirectory, LeavesOutFilesWhoseDirectoryOthersMayWrite) {
  Write("10.conf", "prefer = Npu");
  Allow("", 0777);
  const Configuration configuration = Read();
  EXPECT_THAT(configuration.preferred, IsEmpty());
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].causes[0].code,
            DiagnosticCode::kDirectoryWritableByOthers);
  EXPECT_THAT(GetPreferred(Read(TrustPolicy::kOff)), ElementsAre("Npu"));
}

TEST_F(DropInDirectory, TakesWhatAGroupMayWriteUnlessStrict) {
  Write("10.conf", "prefer = Npu");
  Allow("10.conf", 0664);
  EXPECT_THAT(GetPreferred(Read()), ElementsAre("Npu"));
  const Configuration configuration = Read(TrustPolicy::kStrict);
  EXPECT_THAT(configuration.preferred, IsEmpty());
  EXPECT_EQ(configuration.diagnostics.size(), 1U);
}

TEST_F(DropInDirectory, LetsTheDigestsOfADistrustedFileAllowNothing) {
  Write("10.conf", "\ndigest = " + std::string(64, 'a') + "\n");
  Allow("10.conf", 0666);
  const Configuration configuration = Read();
  ASSERT_EQ(configuration.digests.size(), 1U);
  EXPECT_EQ(configuration.digests[0].value, "");
  EXPECT_EQ(configuration.digests[0].origin, (directory_ / "10.conf") + ":2");
}

TEST_F(DropInDirectory, StopsBehindTooManyKnownBadBuilds) {
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "known_bad = A/B *: x\n";
  for (const char* name : {"1.conf", "2.conf", "3.conf", "4.conf"}) Write(name, lines);
  Write("5.conf", "prefer = Npu");
  const Configuration configuration = Read();
  EXPECT_EQ(configuration.known_bad.size(), 12000U);
  EXPECT_THAT(configuration.preferred, IsEmpty());
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_THAT(configuration.diagnostics[0].why, HasSubstr("stopped before 5.conf"));
}

TEST_F(DropInDirectory, StopsBeforeTooManyFiles) {
  for (std::size_t i = 0; i <= kMostDropIns; ++i) {
    Write(std::to_string(1000 + i) + ".conf", "prefer = Npu");
  }
  const Configuration configuration = Read();
  EXPECT_EQ(configuration.preferred.size(), kMostDropIns);
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kConfigurationDirectoryUnusable);
  EXPECT_THAT(configuration.diagnostics[0].why,
              HasSubstr("found 257 files, and stopped before 1256.conf; expected at most 256"));
}

TEST_F(DropInDirectory, StopsBehindTooManySettings) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += "disable=A\n";
  for (const char* name : {"1.conf", "2.conf", "3.conf"}) Write(name, text);
  const Configuration configuration = Read();
  EXPECT_EQ(configuration.disabled.size(), 12000U);
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_THAT(configuration.diagnostics[0].why, HasSubstr("stopped before 3.conf"));
}

TEST_F(DropInDirectory, GivesTheErrorOfADirectoryThatCannotBeListed) {
  Configuration configuration;
  EXPECT_EQ(ReadDropIns(directory_ / "absent", TrustPolicy::kOwner, configuration), ENOENT);
  const std::string file = directory_.Write("file", "");
  EXPECT_EQ(ReadDropIns(file, TrustPolicy::kOwner, configuration), ENOTDIR);
  EXPECT_THAT(configuration.diagnostics, IsEmpty());
}

}  // namespace
}  // namespace backplane::configuration
