/// list-backends over several files that give one backend id.

#include "list_backends_fixture.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

TEST_F(ListBackends, ShowsVariantsTogetherAndExitsWithZero) {
  Add({"VariantLow", "VariantBest", "VariantOfOtherCpu", "ValidA"});
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 0);
  ExpectGolden("list_backends_variants", Normalise(result.out));
}

TEST_F(ListBackends, ExplainsTheOrderOfVariants) {
  Add({"VariantLow", "VariantBest"});
  const CommandResult result = ListWith({GetPath(), "--explain", "MockVariant"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("variants of MockVariant, in the order in which they are tried\n"),
                    HasSubstr("Mock_VariantC_backend.so (loaded, rank 20, version"),
                    HasSubstr("Mock_VariantA_backend.so (shadowed, rank 10, version")));
}

TEST_F(ListBackends, WritesVariantsAsJson) {
  Add({"VariantLow", "VariantBest", "ValidA"});
  const Json report = Json::parse(ListWith({GetPath(), "--format", "json"}).out);
  ASSERT_EQ(report["variants"].size(), 1U);
  EXPECT_EQ(report["variants"][0]["id"], "MockVariant");
  EXPECT_EQ(report["variants"][0]["used"], GetFile("VariantBest"));
  EXPECT_EQ(report["variants"][0]["files"], Json({GetFile("VariantBest"), GetFile("VariantLow")}));
  EXPECT_TRUE(report["diagnostics"].empty());
}

/// Joins what was broken into lines by its width, and replaces the times.
std::string HideMeasured(const std::string& text) {
  const std::string joined = std::regex_replace(text, std::regex("\n {9,}"), " ");
  const std::string labelled =
      std::regex_replace(joined, std::regex("\n  [0-9.]+ +/"), "\n  <ratio>  /");
  return std::regex_replace(labelled, std::regex("[0-9]+\\.[0-9] (us|times)"), "<number> $1");
}

TEST_F(ListBackends, SaysWhetherTheRankIsTrue) {
  Add({"RunsFast", "RunsLong", "RunsAndCrashes", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--rank", "--no-cache"});
  EXPECT_EQ(result.exit_code, 0);
  const std::string speeds = result.out.substr(result.out.find("\ntimes of "));
  ExpectGolden("list_backends_rank", HideMeasured(Normalise(speeds)));
}

TEST_F(ListBackends, WritesTheSpeedsAsJson) {
  Add({"RunsFast", "RunsLong", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--rank", "--no-cache", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0);
  const Json speeds = Json::parse(result.out)["speeds"];
  ASSERT_EQ(speeds.size(), 2U);
  EXPECT_EQ(speeds[0]["id"], "MockRunsVariant");
  EXPECT_EQ(speeds[0]["rank_is_true"], false);
  EXPECT_EQ(speeds[0]["files"][0]["path"], GetFile("RunsLong"));
  EXPECT_GT(speeds[0]["files"][0]["ratio"], 2);
  EXPECT_EQ(speeds[0]["files"][1]["ratio"], 1);
  EXPECT_EQ(speeds[1]["rank_is_true"], nullptr);
  const Json without = Json::parse(ListWith({GetPath(), "--format", "json"}).out);
  EXPECT_TRUE(without["speeds"].empty());
}

TEST_F(ListBackends, ExplainsOneBackendWithItsTimes) {
  Add({"RunsFast", "RunsLong", "ValidA"});
  const CommandResult result =
      ListWith({GetPath(), "--rank", "--no-cache", "--explain", "MockRunsVariant"});
  EXPECT_THAT(result.out, HasSubstr("\ntimes of MockRunsVariant, by elements\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("times of MockValidA")));
}

TEST_F(ListBackends, UsesTheVariantThatIsNamed) {
  Add({"VariantLow", "VariantBest"});
  for (const std::string& file : {std::string("Mock_VariantA*"), GetFile("VariantLow")}) {
    const CommandResult result = ListWith({GetPath(), "--variant", "MockVariant=" + file});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(Normalise(result.out),
                HasSubstr("MockVariant  loaded    1.0  " + Normalise(GetFile("VariantLow"))));
  }
}

TEST_F(ListBackends, SaysWhichVariantsThereAreWhenTheNamedOneCannotBeUsed) {
  Add({"VariantLow", "VariantBest", "ValidA"});
  const CommandResult result = ListWith({GetPath(), "--variant", "MockVariant=Acme*"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("BP5113"), HasSubstr("Acme*"), HasSubstr("Mock_VariantA_backend.so"),
                    HasSubstr("Mock_VariantC_backend.so")));
  const Json report =
      Json::parse(ListWith({GetPath(), "--variant", "MockVariant=Acme*", "--format", "json"}).out);
  EXPECT_EQ(report["diagnostics"][0]["name"], "variant-pin-unmet");
  EXPECT_EQ(report["variants"][0]["used"], nullptr);
}

TEST_F(ListBackends, RefusesAVariantThatIsNotAnIdAndAFile) {
  for (const char* text : {"", "Npu", "=file", "Npu="}) {
    const CommandResult result = ListWith({GetPath(), "--variant", text});
    EXPECT_EQ(result.exit_code, 64) << text;
    EXPECT_THAT(result.err, HasSubstr("expected ID=FILE"));
  }
}

TEST_F(ListBackends, NotesDirectoriesForOtherProcessors) {
  Add({"ValidA"});
  std::filesystem::create_directory(GetPath() + "/x86-64-v77");
  const CommandResult result = ListWith({GetPath()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("note BP1021"), HasSubstr("/x86-64-v77")));
  EXPECT_THAT(result.out, Not(HasSubstr("skipped")));
}

}  // namespace
}  // namespace backplane::test
