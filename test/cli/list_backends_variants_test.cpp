/// list-backends over several files that give one backend id.

#include "list_backends_fixture.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

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
