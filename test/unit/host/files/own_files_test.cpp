#include <backplane/host/own_files.hpp>

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace backplane {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OwnFiles, ComeBackAsTheyWereWritten) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(ReplaceOwnFile(directory / "file", "abc", 3), "");
  const OwnFile file = ReadOwnFile(directory / "file", 3);
  EXPECT_TRUE(file.exists);
  EXPECT_EQ(file.fault, "");
  EXPECT_EQ(std::string(file.content.begin(), file.content.end()), "abc");
}

// Nothing failed that could have set errno, so what it says is of another call.
TEST(OwnFiles, ThatEndBeforeTheirSizeSaySo) {
  const char* const path = "/sys/kernel/mm/transparent_hugepage/enabled";
  struct stat status {};
  if (geteuid() != 0 || ::stat(path, &status) != 0 || status.st_size != 4096) {
    GTEST_SKIP() << "needs a file of this user that has less than it says";
  }
  errno = ENOTEMPTY;
  const OwnFile file = ReadOwnFile(path, 1U << 20U);
  EXPECT_THAT(file.fault, HasSubstr("found its end after "));
  EXPECT_THAT(file.fault, HasSubstr("expected 4096"));
  EXPECT_THAT(file.content, IsEmpty());
}

TEST(OwnFiles, ThatCannotBePutInTheirPlaceSayWhyAndLeaveNothing) {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "taken/inside");
  EXPECT_THAT(ReplaceOwnFile(directory / "taken", "abc", 3), HasSubstr("Is a directory"));
  int num_entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.GetPath())) {
    EXPECT_EQ(entry.path().filename(), "taken");
    ++num_entries;
  }
  EXPECT_EQ(num_entries, 1);
}

}  // namespace
}  // namespace backplane
