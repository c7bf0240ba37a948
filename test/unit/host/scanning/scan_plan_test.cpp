#include "scanning/scan_plan.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane::scanning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> GetPaths(const ScanPlan::Step& step) {
  std::vector<std::string> paths;
  for (const PlannedFile& file : step.family.files) paths.push_back(file.path);
  return paths;
}

ScanOptions MakeOptions(const std::vector<std::string>& directories) {
  ScanOptions options;
  for (const std::string& directory : directories) options.search_paths.push_back({directory});
  return options;
}

TEST(ScanPlan, PutsTheVersionsOfOneNameTogetherInTheOrderOfPreference) {
  const test::TemporaryDirectory directory;
  for (const char* name : {"A_b_backend.so.1.2", "A_b_backend.so.1.10", "A_b_backend.so",
                           "A_c_backend.so", "A_a_backend.so.7"}) {
    directory.Write(name, "");
  }
  const ScanPlan plan = PlanScan(MakeOptions({directory.GetPath()}));
  ASSERT_EQ(plan.steps.size(), 3U);
  EXPECT_THAT(GetPaths(plan.steps[0]), ElementsAre(directory / "A_a_backend.so.7"));
  EXPECT_THAT(GetPaths(plan.steps[1]),
              ElementsAre(directory / "A_b_backend.so", directory / "A_b_backend.so.1.10",
                          directory / "A_b_backend.so.1.2"));
  EXPECT_THAT(GetPaths(plan.steps[2]), ElementsAre(directory / "A_c_backend.so"));
}

TEST(ScanPlan, SkipsOtherNamesAndSaysWhy) {
  const test::TemporaryDirectory directory;
  directory.Write("readme.txt", "");
  const ScanPlan plan = PlanScan(MakeOptions({directory.GetPath()}));
  ASSERT_EQ(plan.steps.size(), 1U);
  ASSERT_TRUE(plan.steps[0].skipped);
  EXPECT_EQ(plan.steps[0].skipped->status, CandidateStatus::kSkipped);
  ASSERT_EQ(plan.steps[0].skipped->diagnostics.size(), 1U);
  EXPECT_EQ(plan.steps[0].skipped->diagnostics[0].severity, Severity::kNote);
}

TEST(ScanPlan, TakesFilesFirstEachByItselfAndOnce) {
  const test::TemporaryDirectory directory;
  const std::string low = directory.Write("A_b_backend.so.1", "");
  const std::string high = directory.Write("A_b_backend.so.2", "");
  ScanOptions options = MakeOptions({directory.GetPath()});
  options.files = {low, low};
  const ScanPlan plan = PlanScan(options);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_THAT(GetPaths(plan.steps[0]), ElementsAre(low));
  EXPECT_THAT(GetPaths(plan.steps[1]), ElementsAre(high));
}

TEST(ScanPlan, LooksAtAFileWithAWrongNameAndRemembersTheFault) {
  ScanOptions options;
  options.files = {"/x/wrong.so"};
  const ScanPlan plan = PlanScan(options);
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_FALSE(plan.steps[0].skipped);
  ASSERT_TRUE(plan.steps[0].family.files[0].name_fault);
  EXPECT_EQ(plan.steps[0].family.files[0].name_fault->code, DiagnosticCode::kInvalidFileName);
}

TEST(ScanPlan, ReportsEveryDirectoryAlsoThoseThatCannotBeScanned) {
  const test::TemporaryDirectory directory;
  directory.Write("A_b_backend.so", "");
  const ScanPlan plan =
      PlanScan(MakeOptions({"relative", directory.GetPath(), directory.GetPath(), "/nowhere"}));
  ASSERT_EQ(plan.search_paths.size(), 4U);
  EXPECT_FALSE(plan.search_paths[0].is_scanned);
  EXPECT_EQ(plan.search_paths[0].diagnostics.size(), 1U);
  EXPECT_TRUE(plan.search_paths[1].is_scanned);
  EXPECT_TRUE(plan.search_paths[2].is_scanned);
  EXPECT_FALSE(plan.search_paths[3].is_scanned);
  EXPECT_EQ(plan.steps.size(), 1U) << "a directory given twice is planned once";
}

TEST(ScanPlan, ListsADirectoryOnceHoweverOftenItIsNamed) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.Write("A_b_backend.so", "");
  const test::TemporaryDirectory other;
  other.Link("link", directory.GetPath());
  const std::string link = other / "link";
  const std::string real = directory.GetPath();
  const ScanPlan plan = PlanScan(MakeOptions({real, link, real + '/', real, link}));
  ASSERT_EQ(plan.search_paths.size(), 5U);
  for (const SearchPathReport& path : plan.search_paths) EXPECT_TRUE(path.is_scanned);
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_THAT(GetPaths(plan.steps[0]), ElementsAre(file));
}

TEST(ScanPlan, ListsADirectoryAgainWhenAllPathsBeforeWentThroughLinks) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.Write("A_b_backend.so", "");
  const test::TemporaryDirectory other;
  other.Link("link", directory.GetPath());
  const std::string link = other / "link";
  const ScanPlan plan = PlanScan(MakeOptions({link, directory.GetPath()}));
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_THAT(GetPaths(plan.steps[0]), ElementsAre(link + "/A_b_backend.so"));
  EXPECT_THAT(GetPaths(plan.steps[1]), ElementsAre(file)) << "the link may be one of anybody";
}

TEST(ScanPlan, OfNothingIsEmpty) {
  const ScanPlan plan = PlanScan(ScanOptions());
  EXPECT_THAT(plan.search_paths, IsEmpty());
  EXPECT_THAT(plan.steps, IsEmpty());
}

}  // namespace
}  // namespace backplane::scanning
