#include "probing/verdict_cache.hpp"

#include <backplane/host/own_files.hpp>

#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

namespace backplane::probing {
namespace {

TEST(CacheDirectory, IsMadeForTheUserAlone) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a" + "/b/c";
  ASSERT_EQ(PrepareOwnDirectory(path).fault, "");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_EQ(PrepareOwnDirectory(path).fault, "") << "it is there already";
}

TEST(CacheDirectory, IsNotUsedWhereOthersMayWrite) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "open";
  ASSERT_EQ(mkdir(path.c_str(), 0777), 0);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  EXPECT_NE(PrepareOwnDirectory(path).fault, "");
}

TEST(CacheDirectory, IsNotUsedWhereAFileIsInTheWay) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "file";
  std::ofstream(path) << "in the way";
  EXPECT_NE(PrepareOwnDirectory(path).fault, "");
  EXPECT_NE(PrepareOwnDirectory(path + "/below").fault, "");
}

TEST(CacheDirectory, FollowsTheEnvironment) {
  setenv("XDG_CACHE_HOME", "/somewhere/cache", 1);
  EXPECT_EQ(FindCacheDirectory(), "/somewhere/cache/backplane/verdicts");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/some/home", 1);
  EXPECT_EQ(FindCacheDirectory(), "/some/home/.cache/backplane/verdicts");
  unsetenv("HOME");
  EXPECT_EQ(FindCacheDirectory(), "");
}

}  // namespace
}  // namespace backplane::probing
