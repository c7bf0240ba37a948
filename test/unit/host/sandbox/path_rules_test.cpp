#include "sandbox/landlock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::sandbox {
namespace {

/// The accesses that the rules give to a path itself.
std::vector<PathAccess> Find(const std::vector<PathRule>& rules, const std::string& path) {
  std::vector<PathAccess> found;
  for (const PathRule& rule : rules) {
    if (rule.path == path) found.push_back(rule.access);
  }
  return found;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PathRules, OpenTheFileOfTheBackendAndItsLibrariesForReading) {
  const auto rules = MakePathRules("/opt/npu/Acme_Npu_backend.so", {"/opt/lib/libnpu.so.1"}, {});
  EXPECT_THAT(Find(rules, "/opt/npu/Acme_Npu_backend.so"), ElementsAre(PathAccess::kRead));
  for (const char* folder : {"/opt/npu/", "/opt/npu", "/opt/lib", "/opt/lib/"}) {
    EXPECT_THAT(Find(rules, folder), IsEmpty()) << folder;
  }
  EXPECT_THAT(Find(rules, "/opt/lib/libnpu.so.1"), ElementsAre(PathAccess::kRead));
  EXPECT_THAT(Find(rules, "/usr/lib"), ElementsAre(PathAccess::kRead));
}

TEST(PathRules, WithoutPermissionsChangeNothing) {
  for (const PathRule& rule : MakePathRules("/x/A_b_backend.so", {}, {})) {
    const bool is_sink = rule.path == "/dev/null" && rule.access == PathAccess::kReadAndWrite;
    EXPECT_TRUE(is_sink || rule.access == PathAccess::kRead) << rule.path;
    for (const char* closed : {"/", "/etc", "/home", "/proc", "/dev", "/tmp", "/usr", "/run"}) {
      EXPECT_NE(rule.path, closed);
    }
  }
}

TEST(PathRules, AreWidenedByPermissions) {
  const auto rules =
      MakePathRules("/x/A_b_backend.so", {},
                    ReadPermissions({"devices:/dev/dri", "write:/var/cache/acme", "read:/etc/acme",
                                     "later:/a", "write", "network:/x", "read:/", "read:/a/../b",
                                     "devices:/var", "devices:/dev"}));
  EXPECT_THAT(Find(rules, "/dev/dri"), ElementsAre(PathAccess::kUseDevice));
  EXPECT_THAT(Find(rules, "/var/cache/acme"), ElementsAre(PathAccess::kChange));
  EXPECT_THAT(Find(rules, "/etc/acme"), ElementsAre(PathAccess::kRead));
  for (const char* path : {"", "/", "/a", "/x", "/a/../b", "/etc/hosts", "/var", "/dev"}) {
    EXPECT_THAT(Find(rules, path), IsEmpty()) << path;
  }
}

TEST(PathRules, OpenADataFolderBesideTheBackendThatItsManifestNames) {
  const auto rules = MakePathRules(
      "/opt/npu/Acme_Npu_backend.so", {},
      ReadPermissions({"read:$ORIGIN/data", "read:$ORIGIN", "read:$ORIGIN/", "read:$ORIGIN/../b",
                       "read:$ORIGINAL/c", "write:$ORIGIN/d", "devices:$ORIGIN/e"}));
  EXPECT_THAT(Find(rules, "/opt/npu/data"), ElementsAre(PathAccess::kRead));
  EXPECT_EQ(rules.size(), MakePathRules("/opt/npu/Acme_Npu_backend.so", {}, {}).size() + 1);
}

TEST(PathRules, LetProgramsRunWithThePermissionForThem) {
  const auto runs = [](const std::vector<PathRule>& rules) {
    return std::any_of(rules.begin(), rules.end(),
                       [](const PathRule& rule) { return rule.access == PathAccess::kReadAndRun; });
  };
  EXPECT_FALSE(runs(MakePathRules("/x/A_b_backend.so", {}, {})));
  EXPECT_TRUE(runs(MakePathRules("/x/A_b_backend.so", {}, ReadPermissions({"processes"}))));
}

TEST(PermissionTexts, AreExplained) {
  EXPECT_EQ(DescribePermission("devices:/dev/dri"),
            "devices:/dev/dri (reads, writes and controls the devices at this path)");
  EXPECT_EQ(DescribePermission("later:/a"), "later:/a (not known here, and not granted)");
}

}  // namespace
}  // namespace backplane::sandbox
