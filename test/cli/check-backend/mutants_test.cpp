/// Every mistake of mutants.def is found, by the rule that it breaks.

#include "check_backend_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

struct Mutant {
  std::string name;
  int rule = 0;
  std::string mistake;
  std::vector<std::string> words;
  std::string file;  // below the folder of the mocks
  bool is_chosen;    // by MOCK_MUTANT
};

void PrintTo(const Mutant& mutant, std::ostream* stream) {
  *stream << mutant.mistake;
}

constexpr char kMutants[] = "mutants/Mock_Mutants_backend.so";

std::vector<Mutant> GetMutantRows() {
  return {
#define BACKPLANE_MUTANT(name, rule, mistake, ...) \
  {#name, rule, mistake, {__VA_ARGS__}, kMutants, true},
#define BACKPLANE_MUTANT_FILE(name, rule, file, mistake, ...) \
  {#name, rule, mistake, {__VA_ARGS__}, file, false},
#include <mutants/mutants.def>
#undef BACKPLANE_MUTANT
#undef BACKPLANE_MUTANT_FILE
  };
}

std::string GetRuleId(int rule) {
  char text[16];
  std::snprintf(text, sizeof(text), "BC%04d", rule);
  return text;
}

/// Each once.
std::vector<int> GetBrokenRules() {
  std::vector<int> rules;
  for (const Mutant& mutant : GetMutantRows()) rules.push_back(mutant.rule);
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

/// Without "--format json" in two words: many reports need not all be held against the schema.
CommandResult CheckRule(const std::string& file, int rule, const CommandSettings& settings) {
  return CheckWith({GetMockFile(file), "--rule", GetRuleId(rule), "--quick", "--fail-on-warning",
                    "--timeout", "3", "--format=json"},
                   settings);
}

class EveryMutant : public ::testing::TestWithParam<Mutant> {};

TEST_P(EveryMutant, IsFoundByTheRuleThatItBreaks) {
  const Mutant& mutant = GetParam();
  CommandSettings settings;
  if (mutant.is_chosen) settings.environment = {"MOCK_MUTANT=" + mutant.name};
  const CommandResult result = CheckRule(mutant.file, mutant.rule, settings);
  if (result.out.find("objdump, which reads instructions, is not") != std::string::npos) {
    GTEST_SKIP() << "objdump is not installed, or this is another processor";
  }
  ASSERT_EQ(result.exit_code, 1) << result.out << result.err;
  const Json rule = FindRule(Json::parse(result.out), GetRuleId(mutant.rule));
  ASSERT_TRUE(rule.is_object()) << result.out;
  EXPECT_EQ(rule["outcome"], rule["kind"] == "must" ? "broken" : "advice");
  const std::string findings = JoinFindings(rule);
  for (const std::string& words : mutant.words) EXPECT_THAT(findings, HasSubstr(words));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMutant, ::testing::ValuesIn(GetMutantRows()),
                         [](const auto& row) { return row.param.name; });

class EveryRuleOfMutants : public ::testing::TestWithParam<int> {};

TEST_P(EveryRuleOfMutants, IsKeptWithoutAMistake) {
  const CommandResult result = CheckRule(kMutants, GetParam(), {});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const Json rule = FindRule(Json::parse(result.out), GetRuleId(GetParam()));
  ASSERT_TRUE(rule.is_object()) << result.out;
  EXPECT_EQ(rule["outcome"], "kept") << result.out;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryRuleOfMutants, ::testing::ValuesIn(GetBrokenRules()),
                         [](const auto& row) { return GetRuleId(row.param); });

TEST(Mutants, AreAtLeastSixty) {
  EXPECT_GE(GetMutantRows().size(), 60U);
}

TEST(Mutants, AreNotFoundInACorrectBackend) {
  const CommandResult result =
      CheckWith({GetMutants(), "--quick", "--fail-on-warning", "--format=json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["verdict"], "kept");
  for (const Json& rule : report["rules"]) {
    // No distribution was stated.
    if (rule["rule"] == "BC0106") continue;
    EXPECT_EQ(rule["outcome"], "kept") << rule;
  }
}

}  // namespace
}  // namespace backplane::test
