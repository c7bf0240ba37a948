/// Models of which a backend fails in a run.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A backend that crashes in every run, in a process of its own, and CpuRef behind it.
class OnFailure : public ExecuteNetwork {
 protected:
  void SetUp() override {
    directory_.Add("RunsAndCrashes");
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
  }

  CommandResult RunHere(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {
        "--backends-path", directory_.GetPath(), "--backends", "MockRunsVariant,CpuRef",
        "--isolate",       "MockRunsVariant",    "--expect",   "scores=" + kExpected};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunDigits(arguments);
  }

  MockDirectory directory_;
};

TEST_F(OnFailure, TheRunFailsUnlessToldOtherwise) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--on-failure", "fail"}}) {
    ExpectRefusal(RunHere(more), 2, DiagnosticCode::kWorkerEnded, {"MockRunsVariant", "SIGSEGV"});
  }
}

TEST_F(OnFailure, TheModelRunsElsewhereAndThatIsSaid) {
  const CommandResult result =
      RunHere({"--on-failure", "elsewhere", "--iterations", "3", "--concurrency", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "fallback  placed again without MockRunsVariant, which failed; ");
  ExpectContains(result.out, "ok: 1 output compared, all agree");
  EXPECT_EQ(result.out.find("MockRunsVariant 1 layer"), std::string::npos) << result.out;
  ExpectContains(result.err, GetDiagnosticId(DiagnosticCode::kPlacedElsewhere));
  ExpectContains(result.err, "SIGSEGV");
}

TEST_F(OnFailure, AModelThatRunsElsewhereIsAWarning) {
  const CommandResult result = RunHere({"--on-failure", "elsewhere", "--fail-on-warning"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  ExpectContains(result.err, Headline(DiagnosticCode::kWarningsFail) + "there is a warning");
  ExpectContains(result.err, "found " + GetDiagnosticId(DiagnosticCode::kPlacedElsewhere));
}

TEST_F(OnFailure, JsonHasTheCauseAndThePlacementThatRan) {
  const CommandResult result = RunHere({"--on-failure", "elsewhere", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json.at("fallbacks").size(), 1U);
  const Json& fallback = json.at("fallbacks").at(0);
  EXPECT_EQ(fallback.at("failed_backend"), "MockRunsVariant");
  EXPECT_EQ(fallback.at("repeated_runs"), 1);
  const Json& diagnostic = fallback.at("diagnostic");
  EXPECT_EQ(diagnostic.at("code"), GetDiagnosticId(DiagnosticCode::kPlacedElsewhere));
  EXPECT_EQ(diagnostic.at("causes").at(0).at("code"),
            GetDiagnosticId(DiagnosticCode::kWorkerEnded));
  for (const Json& layer : json.at("placement")) EXPECT_EQ(layer.at("backend"), "CpuRef");
}

TEST_F(OnFailure, WithoutAnotherBackendTheCauseAndWhatKeptItAreSaid) {
  const CommandResult result = RunHere(
      {"--layer-backend", "relu*=MockRunsVariant", "--strict", "--on-failure", "elsewhere"});
  ExpectRefusal(result, 2, DiagnosticCode::kWorkerEnded,
                {"SIGSEGV", GetDiagnosticId(DiagnosticCode::kNotPlacedElsewhere)});
}

}  // namespace
}  // namespace backplane::test
