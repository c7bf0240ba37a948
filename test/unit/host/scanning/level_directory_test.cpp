#include "scanning/level_directory.hpp"

#include "inspection/cpu_level.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::scanning {
namespace {

using ::testing::HasSubstr;

std::optional<LevelDirectory> Find(const test::TemporaryDirectory& directory,
                                   const std::string& name) {
  std::filesystem::create_directories(directory / name);
  return FindLevelDirectory(directory / name, name);
}

TEST(LevelDirectory, IsOneByItsNameAlone) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"x86-64", "x86-64-v", "x86-64-v0", "x86-64-v02", "x86-64-v123",
                           "x86-64-v3a", "X86-64-v3", "zoo", "power", "haswell", "z-1"}) {
    EXPECT_FALSE(Find(directory, name)) << name;
  }
  EXPECT_TRUE(Find(directory, "x86-64-v3"));
}

TEST(LevelDirectory, IsNoFileOfThatName) {
  const test::TemporaryDirectory directory;
  EXPECT_FALSE(FindLevelDirectory(directory.Write("x86-64-v3", ""), "x86-64-v3"));
  directory.Link("x86-64-v2", directory / "nowhere");
  EXPECT_FALSE(FindLevelDirectory(directory / "x86-64-v2", "x86-64-v2"));
}

TEST(LevelDirectory, OfALevelThatThisProcessorHasIsTaken) {
  const test::TemporaryDirectory directory;
  const std::uint32_t levels = inspection::GetLevelsOfThisCpu();
  for (unsigned level = 1; level <= 4; ++level) {
    const auto found = Find(directory, "x86-64-v" + std::to_string(level));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->level, level);
    EXPECT_EQ(!found->why_left_out, (levels >> (level - 1) & 1U) != 0) << level;
  }
}

TEST(LevelDirectory, OfALevelThatNoProcessorHasIsLeftOutWithAWord) {
  const test::TemporaryDirectory directory;
  const auto found = Find(directory, "x86-64-v99");
  ASSERT_TRUE(found && found->why_left_out);
  EXPECT_EQ(found->why_left_out->severity, Severity::kNote);
  EXPECT_EQ(found->why_left_out->code, DiagnosticCode::kCpuLevelLeftOut);
  EXPECT_EQ(found->why_left_out->subject.name, directory / "x86-64-v99");
  EXPECT_THAT(found->why_left_out->why, HasSubstr("x86-64"));
}

TEST(LevelDirectory, OfAnotherArchitectureIsLeftOutWithAWord) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"z15", "power10"}) {
    const auto found = Find(directory, name);
    ASSERT_TRUE(found && found->why_left_out) << name;
    EXPECT_THAT(found->why_left_out->what, HasSubstr(name));
  }
}

}  // namespace
}  // namespace backplane::scanning
