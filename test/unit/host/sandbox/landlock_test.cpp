#include "sandbox/landlock.hpp"

#include "support/temporary_directory.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>

namespace backplane::sandbox {
namespace {

/// errno of opening a file, or 0.
int Open(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags, 0600);
  if (file < 0) return errno;
  close(file);
  return 0;
}

/// What a restricted process finds, told by its exit code: 0, or the number of what is wrong.
class Landlock : public ::testing::Test {
 protected:
  void SetUp() override {
    if (GetLandlockVersion() < kLeastLandlockVersion) GTEST_SKIP() << "this kernel has no Landlock";
    for (const char* folder : {"readable", "changeable", "closed"}) {
      ASSERT_EQ(mkdir((directory_ / folder).c_str(), 0700), 0);
      directory_.Write(std::string(folder) + "/file", "content");
    }
  }

  template <typename Check>
  void ExpectWithin(const std::vector<PathRule>& rules, const Check& check) const {
    EXPECT_EXIT(
        {
          if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(100);
          const std::string failure = RestrictPaths(rules, Outside::kCutOff);
          if (!failure.empty()) std::fprintf(stderr, "%s\n", failure.c_str());
          _exit(failure.empty() ? check() : 101);
        },
        ::testing::ExitedWithCode(0), "");
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(Landlock, OpensWhatARuleAllowsAndNothingElse) {
  ExpectWithin({{directory_ / "readable", PathAccess::kRead}}, [&] {
    if (Open(directory_ / "readable/file", O_RDONLY) != 0) return 1;
    if (Open(directory_ / "readable/file", O_WRONLY) != EACCES) return 2;
    if (Open(directory_ / "readable/file", O_RDONLY | O_TRUNC) != EACCES) return 3;
    if (Open(directory_ / "readable/new", O_CREAT | O_WRONLY) != EACCES) return 4;
    if (Open(directory_ / "closed/file", O_RDONLY) != EACCES) return 5;
    if (Open(directory_ / "readable/../closed/file", O_RDONLY) != EACCES) return 6;
    if (truncate((directory_ / "readable/file").c_str(), 0) == 0) return 7;
    if (unlink((directory_ / "readable/file").c_str()) == 0) return 8;
    if (mkdir((directory_ / "readable/folder").c_str(), 0700) == 0) return 9;
    if (access("/bin/true", X_OK) == 0 && execl("/bin/true", "true", nullptr) == 0) return 10;
    return errno == EACCES ? 0 : 11;
  });
}

TEST_F(Landlock, DoesNotFollowLinksOut) {
  ASSERT_EQ(symlink((directory_ / "closed/file").c_str(), (directory_ / "readable/link").c_str()),
            0);
  ExpectWithin({{directory_ / "readable", PathAccess::kRead}},
               [&] { return Open(directory_ / "readable/link", O_RDONLY) == EACCES ? 0 : 1; });
}

TEST_F(Landlock, LetsFilesBeChangedMadeAndRemovedWhereThatIsAllowed) {
  ExpectWithin({{directory_ / "changeable", PathAccess::kChange}}, [&] {
    if (Open(directory_ / "changeable/new", O_CREAT | O_WRONLY) != 0) return 1;
    if (Open(directory_ / "changeable/file", O_RDWR | O_TRUNC) != 0) return 2;
    const std::string old = directory_ / "changeable/new";
    if (rename(old.c_str(), (directory_ / "changeable/newer").c_str()) != 0) return 3;
    if (unlink((directory_ / "changeable/newer").c_str()) != 0) return 4;
    if (Open(directory_ / "closed/new", O_CREAT | O_WRONLY) != EACCES) return 5;
    return mknod((directory_ / "changeable/device").c_str(), S_IFCHR | 0600, 0x103) == 0 ? 6 : 0;
  });
}

TEST_F(Landlock, TakesRulesForFilesAndForWhatIsNotThere) {
  ExpectWithin({{directory_ / "closed/file", PathAccess::kChange},
                {directory_ / "absent", PathAccess::kChange},
                {"/dev/null", PathAccess::kUseDevice}},
               [&] {
                 if (Open(directory_ / "closed/file", O_RDWR) != 0) return 1;
                 if (Open(directory_ / "closed/other", O_CREAT | O_WRONLY) != EACCES) return 2;
                 return Open("/dev/null", O_RDWR);
               });
}

/// Exits with 0 when the rules are not taken.
[[noreturn]] void RestrictWithoutDescriptors() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  int last = -1;
  for (int file = 0; file >= 0; file = dup(0)) last = file;
  close(last);  // enough for the set of rules, and not for the file of one
  const std::vector<PathRule> rules = {{"/usr", PathAccess::kRead}};
  _exit(RestrictPaths(rules, Outside::kCutOff).empty() ? 1 : 0);
}

TEST_F(Landlock, LeavesNoRuleOutForLackOfDescriptors) {
  EXPECT_EXIT(RestrictWithoutDescriptors(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace backplane::sandbox
