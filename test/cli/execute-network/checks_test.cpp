/// NaN in outputs, and which layer makes them.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "json_schema.hpp"
#include "mock_rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void ExpectFollowsSchema(const std::string& json) {
  const SchemaVerdict verdict = CheckAgainstSchema("execute-network", json);
  if (!verdict.is_checked) return;
  EXPECT_EQ(verdict.breaches, "") << json;
}

class Checks : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
    directory_.Add("RunsToNan");
  }

  CommandResult RunOnReference(const std::vector<std::string>& more) const {
    return RunHere("CpuRef", more);
  }
  /// Each activation of the model makes one NaN.
  CommandResult RunToNan(const std::vector<std::string>& more) const {
    return RunHere("MockRunsToNan,CpuRef", more);
  }

 private:
  CommandResult RunHere(const std::string& backends, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"--backends-path", directory_.GetPath(), "--backends",
                                          backends};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunDigits(arguments);
  }

  MockDirectory directory_;
};

TEST_F(Checks, OfOutputsAreAlwaysMade) {
  const CommandResult result = RunToNan({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "not compared; 10 NaN of 10 elements, first NaN at [0, 0]");
  ExpectContains(result.err, "warning " + GetDiagnosticId(DiagnosticCode::kNonFiniteResult) +
                                 ": output scores has numbers that are not finite");
  ExpectContains(result.err, "run with --check to see which layer makes them");
}

TEST_F(Checks, OfOutputsAreInJson) {
  const CommandResult result = RunToNan({"--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectFollowsSchema(result.out);
  const Json json = Json::parse(result.out);
  const Json& numbers = json.at("outputs").at(0).at("non_finite");
  EXPECT_EQ(numbers.at("nan"), 10);
  EXPECT_EQ(numbers.at("infinities"), 0);
  EXPECT_EQ(numbers.at("negative_infinities"), 0);
  EXPECT_EQ(numbers.at("elements"), 10);
  EXPECT_EQ(numbers.at("first"), (std::vector<int>{0, 0}));
  EXPECT_TRUE(json.at("checks").is_null());
  const Json& warnings = json.at("warnings");
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const Json& warning) {
    return warning.at("code") == GetDiagnosticId(DiagnosticCode::kNonFiniteResult);
  }));
}

TEST_F(Checks, OfOutputsThatDifferAreSaidToo) {
  const CommandResult result = RunToNan({"--expect", "scores=" + kExpected});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.out, "; 10 NaN of 10 elements");
  ExpectContains(result.err, GetDiagnosticId(DiagnosticCode::kNonFiniteResult));
  ExpectContains(result.err, GetDiagnosticId(DiagnosticCode::kResultsDiffer));
}

TEST_F(Checks, OfOutputsThatAreAsExpectedDoNotWarn) {
  const std::string folder = folder_ / "out";
  ASSERT_EQ(RunToNan({"--output-dir", folder}).exit_code, 0);
  const CommandResult result = RunToNan({"--expect", "scores=" + folder + "/output_0.pb"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "ok; 10 NaN of 10 elements");
  EXPECT_EQ(result.err, "");
}

TEST_F(Checks, OfFiniteOutputsSayNothing) {
  const CommandResult result = RunOnReference({"--format", "json"});
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(Json::parse(result.out).at("outputs").at(0).at("non_finite").is_null());
}

TEST_F(Checks, OfLayersNameTheLayerAndTheBackend) {
  const CommandResult result = RunToNan({"--check", "--iterations", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out,
                 "checks    numbers, state, memory, fences, determinism, in 4 runs: 1 finding\n");
  ExpectContains(result.out, "warning " + GetDiagnosticId(DiagnosticCode::kNonFiniteOutput) +
                                 ", in 4 runs: layer ");
  ExpectContains(result.out, "on backend \"MockRunsToNan\" made numbers that are not finite");
  ExpectContains(result.err, GetDiagnosticId(DiagnosticCode::kNonFiniteOutput));
  ExpectContains(result.err, "look at what was found of the layers");
}

TEST_F(Checks, OfLayersAreInJson) {
  const CommandResult result = RunToNan({"--check", "--format", "json", "--log-level", "off"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectFollowsSchema(result.out);
  const Json checks = Json::parse(result.out).at("checks");
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].at("checks"),
            (std::vector<std::string>{"numbers", "state", "memory", "fences", "determinism"}));
  EXPECT_EQ(checks[0].at("runs"), 2);
  ASSERT_EQ(checks[0].at("findings").size(), 1U);
  const Json& finding = checks[0].at("findings")[0];
  EXPECT_EQ(finding.at("check"), "numbers");
  EXPECT_EQ(finding.at("backend"), "MockRunsToNan");
  EXPECT_EQ(finding.at("type"), "Activation");
  EXPECT_EQ(finding.at("runs"), 2);
  EXPECT_EQ(finding.at("diagnostic").at("code"), GetDiagnosticId(DiagnosticCode::kNonFiniteOutput));
}

TEST_F(Checks, ThatFindNothingSaySo) {
  const CommandResult result = RunOnReference({"--check", "--expect", "scores=" + kExpected});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  ExpectContains(
      result.out,
      "checks    numbers, state, memory, fences, determinism, in 2 runs: nothing was found\n");
}

TEST_F(Checks, AreMadeOfEveryRunWhateverItsShape) {
  const CommandResult result =
      Run({kModel, "--test-data", kDigits, "--backends", "CpuRef", "--check", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json checks = Json::parse(result.out).at("checks");
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_GE(checks[0].at("runs"), 2);
}

}  // namespace
}  // namespace backplane::test
