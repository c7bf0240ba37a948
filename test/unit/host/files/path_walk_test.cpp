#include "files/path_walk.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PathWalkTest : public ::testing::Test {
 protected:
  void MakeDirectory(const std::string& name) const {
    std::filesystem::create_directories(directory_ / name);
  }

  /// The steps inside the temporary directory, as "<kind> <name>".
  std::vector<std::string> GetSteps(const PathWalk& walk) const {
    std::vector<std::string> texts;
    for (const Step& step : walk.steps) {
      if (step.path.rfind(directory_.GetPath() + '/', 0) != 0) continue;
      const char* kind = step.kind == StepKind::kLink     ? "link "
                         : step.kind == StepKind::kHolder ? "holder "
                                                          : "passage ";
      texts.push_back(kind + step.path.substr(directory_.GetPath().size() + 1));
    }
    return texts;
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(PathWalkTest, GoesThroughEveryDirectoryFromTheRoot) {
  MakeDirectory("a/b");
  const PathWalk walk = WalkPath(directory_.Write("a/b/x.so", ""));
  EXPECT_TRUE(walk.is_complete);
  EXPECT_EQ(walk.end, directory_ / "a/b/x.so");
  EXPECT_EQ(walk.steps.front().path, "/");
  EXPECT_THAT(GetSteps(walk), ElementsAre("passage a", "holder a/b"));
}

TEST_F(PathWalkTest, EndsAtADirectory) {
  MakeDirectory("a/b");
  const PathWalk walk = WalkPath(directory_ / "a//./b/");
  EXPECT_TRUE(walk.is_complete);
  EXPECT_EQ(walk.end, directory_ / "a/b");
  EXPECT_EQ(WalkPath("/").end, "/");
}

TEST_F(PathWalkTest, GivesTheDirectoriesOfEveryLinkOnTheWay) {
  for (const char* name : {"first", "second", "third"}) MakeDirectory(name);
  directory_.Write("third/x.so", "");
  directory_.Link("second/x.so", directory_ / "third/x.so");
  directory_.Link("first/x.so", "../second/x.so");
  const PathWalk walk = WalkPath(directory_ / "first/x.so");
  EXPECT_TRUE(walk.is_complete);
  EXPECT_EQ(walk.end, directory_ / "third/x.so");
  EXPECT_THAT(GetSteps(walk), ElementsAre("holder first", "link first/x.so", "holder second",
                                          "link second/x.so", "holder third"));
}

TEST_F(PathWalkTest, GivesALinkedDirectoryAndWhatItLeadsTo) {
  MakeDirectory("real/inner");
  directory_.Write("real/inner/x.so", "");
  directory_.Link("alias", "real/inner");
  const PathWalk walk = WalkPath(directory_ / "alias/x.so");
  EXPECT_EQ(walk.end, directory_ / "real/inner/x.so");
  EXPECT_THAT(GetSteps(walk), ElementsAre("link alias", "passage real", "holder real/inner"));
}

TEST_F(PathWalkTest, GoesUpFromWhereALinkLeads) {
  MakeDirectory("real/inner");
  directory_.Write("real/x.so", "");
  directory_.Link("alias", "real/inner");
  EXPECT_EQ(WalkPath(directory_ / "alias/../x.so").end, directory_ / "real/x.so");
}

TEST_F(PathWalkTest, StartsAtADirectoryThatIsKnown) {
  MakeDirectory("a");
  directory_.Write("a/x.so.1", "");
  directory_.Link("a/x.so", "x.so.1");
  const PathWalk walk = WalkPath(directory_ / "a", "x.so");
  EXPECT_EQ(walk.end, directory_ / "a/x.so.1");
  EXPECT_THAT(GetSteps(walk), ElementsAre("holder a", "link a/x.so"));
  EXPECT_EQ(walk.steps.size(), 2U);
}

TEST_F(PathWalkTest, SaysWhereItCouldNotGoOn) {
  const PathWalk missing = WalkPath(directory_ / "none/x.so");
  EXPECT_FALSE(missing.is_complete);
  EXPECT_THAT(missing.failure, HasSubstr(directory_ / "none: No such file or directory"));
  directory_.Write("file", "");
  EXPECT_THAT(WalkPath(directory_ / "file/x.so").failure, HasSubstr("Not a directory"));
}

TEST_F(PathWalkTest, EndsInALoopOfLinks) {
  directory_.Link("a", "b");
  directory_.Link("b", "a");
  const PathWalk walk = WalkPath(directory_ / "a");
  EXPECT_FALSE(walk.is_complete);
  EXPECT_THAT(walk.failure, HasSubstr("Too many levels of symbolic links"));
}

TEST_F(PathWalkTest, TakesARelativePathFromTheWorkingDirectory) {
  const std::string here = std::filesystem::canonical(".").string();
  EXPECT_EQ(WalkPath(".").end, here);
}

}  // namespace
}  // namespace backplane::files
