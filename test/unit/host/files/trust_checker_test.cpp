#include "files/trust_checker.hpp"

#include "files/file_digest.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <thread>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kName[] = "x.so";
constexpr uid_t kOtherOwner = 12345;

class TrustCheckerTest : public ::testing::Test {
 protected:
  /// Makes a file, and the directories it is in, that only this user may write.
  std::string MakeFile(const std::string& folder, const std::string& content = "content") const {
    for (std::size_t slash = 0; slash != std::string::npos;) {
      slash = folder.find('/', slash + 1);
      MakeDirectory(folder.substr(0, slash));
    }
    std::string path = directory_.Write(folder + '/' + kName, content);
    Allow(folder + '/' + kName, 0644);
    return path;
  }

  /// Makes a directory that only this user may write, whatever the umask.
  void MakeDirectory(const std::string& name) const {
    std::filesystem::create_directory(directory_ / name);
    Allow(name, 0755);
  }

  void Allow(const std::string& name, mode_t mode) const {
    ASSERT_EQ(::chmod((directory_ / name).c_str(), mode), 0) << name;
  }

  static std::vector<Diagnostic> Check(TrustChecker& checker, const std::string& path) {
    const auto [file, failure] = files::OpenCandidateFile(path, "");
    EXPECT_FALSE(failure);
    return checker.Check(path, file);
  }

  static std::vector<Diagnostic> Check(const TrustOptions& options, const std::string& path) {
    TrustChecker checker(options);
    return Check(checker, path);
  }

  static std::vector<Diagnostic> CheckAs(TrustPolicy policy, const std::string& path) {
    return Check(TrustOptions{policy}, path);
  }

  static std::string GetDigest(const std::string& path) {
    const auto [file, failure] = files::OpenCandidateFile(path, "");
    return ComputeSha256(file.descriptor.Get()).value_or("");
  }

  /// Writes a list of digests that only this user may write.
  std::string WriteList(const std::string& text) const {
    const std::string path = directory_.Write("list", text);
    Allow("list", 0644);
    return path;
  }

  static void ExpectRefusal(const std::vector<Diagnostic>& found, DiagnosticCode code,
                            const std::string& path, const std::string& word) {
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].code, code) << ToText(found[0]);
    EXPECT_EQ(found[0].severity, Severity::kError);
    EXPECT_EQ(found[0].subject.name, path);
    EXPECT_THAT(found[0].why, HasSubstr(word));
    EXPECT_FALSE(found[0].fix.empty());
  }

  const test::TemporaryDirectory directory_;
};

/// The diagnostic with this code, or null.
const Diagnostic* FindRefusal(const std::vector<Diagnostic>& diagnostics, DiagnosticCode code) {
  const auto found =
      std::find_if(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
  return found == diagnostics.end() ? nullptr : &*found;
}

TEST_F(TrustCheckerTest, SaysNothingOfAnOrdinaryFileInATemporaryDirectory) {
  EXPECT_THAT(CheckAs(TrustPolicy::kOwner, MakeFile("a")), IsEmpty());
}

TEST_F(TrustCheckerTest, SaysNothingOfALinkToAnOrdinaryFile) {
  MakeFile("a");
  MakeDirectory("b");
  directory_.Link("b/x.so", directory_ / "a/x.so");
  EXPECT_THAT(CheckAs(TrustPolicy::kOwner, directory_ / "b/x.so"), IsEmpty());
}

TEST_F(TrustCheckerTest, RefusesAFileThatAnyUserMayWrite) {
  const std::string path = MakeFile("a");
  Allow("a/x.so", 0666);
  ExpectRefusal(CheckAs(TrustPolicy::kOwner, path), DiagnosticCode::kWritableByOthers, path,
                "mode 0666");
}

TEST_F(TrustCheckerTest, RefusesAFileInADirectoryThatAnyUserMayWrite) {
  const std::string path = MakeFile("a");
  Allow("a", 0777);
  ExpectRefusal(CheckAs(TrustPolicy::kOwner, path), DiagnosticCode::kDirectoryWritableByOthers,
                path, directory_ / "a with mode 0777");
  Allow("a", 01777);
  EXPECT_THAT(CheckAs(TrustPolicy::kOwner, path), IsEmpty());
}

TEST_F(TrustCheckerTest, RefusesAFileBelowADirectoryThatAnyUserMayWrite) {
  const std::string path = MakeFile("a/b/c");
  Allow("a", 0777);
  ExpectRefusal(CheckAs(TrustPolicy::kOwner, path), DiagnosticCode::kDirectoryWritableByOthers,
                path, directory_ / "a with mode 0777");
}

TEST_F(TrustCheckerTest, RefusesALinkThatAnyUserCouldPointElsewhere) {
  MakeFile("good");
  MakeFile("open");
  MakeDirectory("first");
  std::filesystem::remove(directory_ / "open/x.so");
  directory_.Link("open/x.so", directory_ / "good/x.so");
  directory_.Link("first/x.so", directory_ / "open/x.so");
  Allow("open", 0777);
  for (const char* name : {"open/x.so", "first/x.so"}) {
    ExpectRefusal(CheckAs(TrustPolicy::kOwner, directory_ / name),
                  DiagnosticCode::kDirectoryWritableByOthers, directory_ / name,
                  directory_ / "open with mode 0777");
  }
}

TEST_F(TrustCheckerTest, RefusesALinkToWhereAnyUserMayWrite) {
  MakeFile("open");
  Allow("open", 0777);
  MakeDirectory("good");
  directory_.Link("good/x.so", "../open/x.so");
  ExpectRefusal(CheckAs(TrustPolicy::kOwner, directory_ / "good/x.so"),
                DiagnosticCode::kDirectoryWritableByOthers, directory_ / "good/x.so",
                directory_ / "open with mode 0777");
}

TEST_F(TrustCheckerTest, RefusesALinkedDirectoryThatAnyUserCouldPointElsewhere) {
  MakeFile("good");
  MakeDirectory("open");
  Allow("open", 0777);
  directory_.Link("open/alias", directory_ / "good");
  ExpectRefusal(CheckAs(TrustPolicy::kOwner, directory_ / "open/alias/x.so"),
                DiagnosticCode::kDirectoryWritableByOthers, directory_ / "open/alias/x.so",
                directory_ / "open with mode 0777");
}

TEST_F(TrustCheckerTest, LooksAtEachDirectoryOnceInAScan) {
  const std::string path = MakeFile("a");
  TrustChecker checker({});
  EXPECT_THAT(Check(checker, path), IsEmpty());
  Allow("a", 0777);
  EXPECT_THAT(Check(checker, path), IsEmpty());
  EXPECT_EQ(CheckAs(TrustPolicy::kOwner, path).size(), 1U) << "another scan looks again";
}

TEST_F(TrustCheckerTest, RefusesAFileWhoseDirectoryIsGone) {
  const std::string path = MakeFile("a");
  const auto [file, failure] = files::OpenCandidateFile(path, path);
  ASSERT_FALSE(failure);
  std::filesystem::remove_all(directory_ / "a");
  TrustChecker checker({});
  ExpectRefusal(checker.Check(path, file), DiagnosticCode::kPathNotChecked, path,
                directory_ / "a: No such file or directory");
}

TEST_F(TrustCheckerTest, RefusesALinkThatLeadsElsewhereThanWhenItWasOpened) {
  const std::string first = MakeFile("first");
  const std::string second = MakeFile("second");
  const std::string path = directory_ / "link.so";
  directory_.Link("link.so", "first/x.so");
  const auto [file, failure] = files::OpenCandidateFile(path, "");
  ASSERT_FALSE(failure);
  std::filesystem::remove(path);
  directory_.Link("link.so", "second/x.so");
  TrustChecker checker({});
  const std::vector<Diagnostic> found = checker.Check(path, file);
  ExpectRefusal(found, DiagnosticCode::kPathNotChecked, path, second);
  EXPECT_THAT(found[0].why, HasSubstr(first));
}

TEST_F(TrustCheckerTest, StrictRefusesWhatIsBelowADirectoryThatAGroupMayWrite) {
  const std::string path = MakeFile("a/b");
  Allow("a", 0775);
  const std::vector<Diagnostic> found = CheckAs(TrustPolicy::kStrict, path);
  const Diagnostic* refusal = FindRefusal(found, DiagnosticCode::kGroupWritable);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->severity, Severity::kError);
  EXPECT_THAT(refusal->why, HasSubstr(directory_ / "a with mode 0775"));
}

TEST_F(TrustCheckerTest, StrictTakesWhatOnlyRootMayWrite) {
  const std::string path = std::filesystem::canonical("/bin/sh").string();
  struct stat directory {};
  ASSERT_EQ(::stat(path.substr(0, path.find_last_of('/')).c_str(), &directory), 0);
  if (directory.st_uid != 0) GTEST_SKIP() << "the system does not belong to root here";
  EXPECT_THAT(CheckAs(TrustPolicy::kStrict, path), IsEmpty());
}

TEST_F(TrustCheckerTest, NotesAForeignOwnerWhichStrictRefuses) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  const std::string path = MakeFile("a");
  if (::chown(path.c_str(), kOtherOwner, 0) != 0) GTEST_SKIP() << "this root may not either";
  const std::vector<Diagnostic> noted = CheckAs(TrustPolicy::kOwner, path);
  ASSERT_EQ(noted.size(), 1U);
  EXPECT_EQ(noted[0].code, DiagnosticCode::kForeignOwner);
  EXPECT_EQ(noted[0].severity, Severity::kNote);
  EXPECT_THAT(noted[0].why, HasSubstr("owner 12345"));
  const std::vector<Diagnostic> strict = CheckAs(TrustPolicy::kStrict, path);
  ASSERT_NE(FindRefusal(strict, DiagnosticCode::kForeignOwner), nullptr);
  EXPECT_EQ(FindRefusal(strict, DiagnosticCode::kForeignOwner)->severity, Severity::kError);
}

TEST_F(TrustCheckerTest, OffLooksAtNothing) {
  const std::string path = MakeFile("a");
  Allow("a/x.so", 0666);
  Allow("a", 0777);
  EXPECT_THAT(CheckAs(TrustPolicy::kOff, path), IsEmpty());
}

TEST_F(TrustCheckerTest, AllowsWhatTheListHasUnderAnyName) {
  const std::string path = MakeFile("a");
  std::string digest = GetDigest(path);
  std::transform(digest.begin(), digest.end(), digest.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string list = WriteList("# ours\r\n" + digest + "  another-name.so\r\n");
  EXPECT_THAT(Check(TrustOptions{TrustPolicy::kOwner, list}, path), IsEmpty());
}

TEST_F(TrustCheckerTest, RefusesAFileThatChangedSinceTheListWasMade) {
  const std::string path = MakeFile("a");
  const std::string listed = GetDigest(path);
  const std::string list = WriteList(listed + "  x.so\n");
  MakeFile("a", "other content");
  const std::vector<Diagnostic> found = Check(TrustOptions{TrustPolicy::kOwner, list}, path);
  ExpectRefusal(found, DiagnosticCode::kDigestNotListed, path, "found SHA-256 " + GetDigest(path));
  EXPECT_THAT(found[0].why, HasSubstr("expected for x.so is " + listed));
  EXPECT_THAT(found[0].fix, HasSubstr("sha256sum " + path + " >> " + list));
}

TEST_F(TrustCheckerTest, ChecksDigestsAlsoWithPolicyOff) {
  const std::string path = MakeFile("a");
  const std::string list = WriteList("");
  ExpectRefusal(Check(TrustOptions{TrustPolicy::kOff, list}, path),
                DiagnosticCode::kDigestNotListed, path, "none for this file name");
}

TEST_F(TrustCheckerTest, RefusesEverythingWhenTheListCannotBeRead) {
  const std::string path = MakeFile("a");
  ExpectRefusal(Check(TrustOptions{TrustPolicy::kOwner, directory_ / "none"}, path),
                DiagnosticCode::kDigestListUnreadable, path, "No such file or directory");
  ExpectRefusal(Check(TrustOptions{TrustPolicy::kOwner, directory_.GetPath()}, path),
                DiagnosticCode::kDigestListUnreadable, path, "a directory");
  const std::string list = WriteList(GetDigest(path) + "  x.so\nnonsense\n");
  ExpectRefusal(Check(TrustOptions{TrustPolicy::kOwner, list}, path),
                DiagnosticCode::kDigestListUnreadable, path, "1 line that cannot be read");
}

TEST_F(TrustCheckerTest, RefusesAListThatAnyUserMayWrite) {
  const std::string path = MakeFile("a");
  const std::string list = WriteList(GetDigest(path) + "  x.so\n");
  Allow("list", 0666);
  const std::vector<Diagnostic> found = Check(TrustOptions{TrustPolicy::kOwner, list}, path);
  ExpectRefusal(found, DiagnosticCode::kDigestListUnreadable, path, "others may change it");
  ASSERT_EQ(found[0].causes.size(), 1U);
  EXPECT_EQ(found[0].causes[0].code, DiagnosticCode::kWritableByOthers);
  EXPECT_THAT(found[0].causes[0].what, HasSubstr(list));
  EXPECT_EQ(found[0].fix, found[0].causes[0].fix);
  EXPECT_THAT(Check(TrustOptions{TrustPolicy::kOff, list}, path), IsEmpty());
}

TEST_F(TrustCheckerTest, AnswersSeveralThreads) {
  const std::string path = MakeFile("a");
  TrustChecker checker({TrustPolicy::kOwner, WriteList(GetDigest(path))});
  std::atomic<int> num_refusals{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (!Check(checker, path).empty()) ++num_refusals;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_refusals, 0);
}

TEST_F(TrustCheckerTest, CollectsAllThatIsWrongWithAFile) {
  const std::string path = MakeFile("a");
  const std::string list = WriteList("");
  Allow("a/x.so", 0666);
  Allow("a", 0777);
  std::vector<DiagnosticCode> codes;
  for (const Diagnostic& diagnostic : Check(TrustOptions{TrustPolicy::kOwner, list}, path)) {
    codes.push_back(diagnostic.code);
  }
  EXPECT_THAT(codes, ElementsAre(DiagnosticCode::kWritableByOthers,
                                 DiagnosticCode::kDirectoryWritableByOthers,
                                 DiagnosticCode::kDigestNotListed));
}

}  // namespace
}  // namespace backplane::files
