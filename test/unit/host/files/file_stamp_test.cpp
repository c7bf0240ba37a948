#include "files/file_stamp.hpp"

#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <filesystem>

namespace backplane::files {
namespace {

FileStamp Stamp(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return MakeFileStamp(status);
}

TEST(FileStamp, OfAnUnchangedFileIsTheSameByAllItsNames) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a", "content");
  directory.Link("b", "a");
  EXPECT_TRUE(Stamp(path) == Stamp(directory / "b"));
  EXPECT_EQ(Stamp(path).size_bytes, 7U);
}

TEST(FileStamp, DiffersBetweenFilesOfTheSameContent) {
  const test::TemporaryDirectory directory;
  EXPECT_TRUE(Stamp(directory.Write("a", "x")) != Stamp(directory.Write("b", "x")));
}

TEST(FileStamp, DiffersWhenTheFileWasReplaced) {
  const test::TemporaryDirectory directory;
  const FileStamp before = Stamp(directory.Write("a", "x"));
  directory.Write("new", "x");
  std::filesystem::rename(directory / "new", directory / "a");
  EXPECT_TRUE(Stamp(directory / "a") != before);
}

TEST(FileStamp, DiffersWhenOnlyTheTimeWasSetBack) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a", "x");
  const FileStamp before = Stamp(path);
  const timespec times[] = {{1, 1}, {1, 1}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  EXPECT_TRUE(Stamp(path) != before);
  EXPECT_EQ(Stamp(path).modified_ns, 1'000'000'001);
}

TEST(FileStamp, ComparesEveryField) {
  const FileStamp stamp{1, 2, 3, 4, 5};
  EXPECT_TRUE(stamp == (FileStamp{1, 2, 3, 4, 5}));
  EXPECT_TRUE(stamp != (FileStamp{9, 2, 3, 4, 5}));
  EXPECT_TRUE(stamp != (FileStamp{1, 9, 3, 4, 5}));
  EXPECT_TRUE(stamp != (FileStamp{1, 2, 9, 4, 5}));
  EXPECT_TRUE(stamp != (FileStamp{1, 2, 3, 9, 5}));
  EXPECT_TRUE(stamp != (FileStamp{1, 2, 3, 4, 9}));
}

}  // namespace
}  // namespace backplane::files
