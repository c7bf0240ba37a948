#include "files/search_path.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SearchPath, AnEmptyListHasNoElements) {
  EXPECT_THAT(SplitPathList("", "/o"), IsEmpty());
}

TEST(SearchPath, SplitsAtColonsAndKeepsOrder) {
  EXPECT_THAT(SplitPathList("/b:/a:/b", "/o"), ElementsAre("/b", "/a", "/b"));
  EXPECT_THAT(SplitPathList(":::", "/o"), ElementsAre("", "", "", ""));
}

TEST(SearchPath, PutsTheDirectoryOfTheLibraryForOrigin) {
  EXPECT_THAT(SplitPathList("$ORIGIN/backends:/x", "/usr/lib"),
              ElementsAre("/usr/lib/backends", "/x"));
}

TEST(SearchPath, TakesAnAbsoluteDirectory) {
  const test::TemporaryDirectory directory;
  EXPECT_FALSE(CheckSearchPath(directory.GetPath()));
  directory.Link("link", directory.GetPath());
  EXPECT_FALSE(CheckSearchPath(directory / "link"));
}

void ExpectFault(const std::string& path, DiagnosticCode code) {
  const auto fault = CheckSearchPath(path);
  ASSERT_TRUE(fault) << path;
  EXPECT_EQ(fault->code, code) << path;
  EXPECT_EQ(fault->severity, Severity::kWarning);
  EXPECT_EQ(fault->subject.name, path);
  EXPECT_FALSE(fault->fix.empty());
}

TEST(SearchPath, WarnsOfEachFault) {
  const test::TemporaryDirectory directory;
  directory.Write("file", "");
  ExpectFault("", DiagnosticCode::kSearchPathEmpty);
  ExpectFault(".", DiagnosticCode::kSearchPathNotAbsolute);
  ExpectFault("relative/dir", DiagnosticCode::kSearchPathNotAbsolute);
  ExpectFault(directory / "none", DiagnosticCode::kSearchPathNotFound);
  ExpectFault(directory / "file", DiagnosticCode::kSearchPathNotDirectory);
}

TEST(SearchPath, WarnsOfALoopOfLinks) {
  const test::TemporaryDirectory directory;
  directory.Link("a", "b");
  directory.Link("b", "a");
  const auto fault = CheckSearchPath(directory / "a");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, DiagnosticCode::kSearchPathUnreadable);
  EXPECT_THAT(fault->what, HasSubstr("leads through a loop of links"));
  EXPECT_THAT(fault->why, HasSubstr("found a link that leads back to itself, expected"));
  EXPECT_THAT(fault->fix, HasSubstr("remove the link"));
}

TEST(SearchPath, WarnsOfADirectoryThatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const test::TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "closed");
  std::filesystem::permissions(directory / "closed", std::filesystem::perms::none);
  ExpectFault(directory / "closed", DiagnosticCode::kSearchPathUnreadable);
}

}  // namespace
}  // namespace backplane::files
