/// Runs that may take a time, and backends that take longer.

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

class RunTimeout : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
  }

  CommandResult RunHere(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"--backends-path", directory_.GetPath()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunDigits(arguments);
  }

  MockDirectory directory_;
};

TEST_F(RunTimeout, LetsRunsEndThatAreQuickEnough) {
  const CommandResult result =
      RunHere({"--backends", "CpuRef", "--run-timeout", "600000", "--concurrency", "3",
               "--iterations", "20", "--expect", "scores=" + kExpected});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(RunTimeout, EndsTheCommandWhenALayerDoesNotReturn) {
  directory_.Add("RunsAndHangs");
  const CommandResult result =
      RunHere({"--backends", "MockRunsVariant,CpuRef", "--run-timeout", "50"});
  ExpectRefusal(
      result, 3, DiagnosticCode::kRunHangs,
      {"backend \"MockRunsVariant\"", "after its deadline", "--run-timeout allows 50 ms"});
}

TEST_F(RunTimeout, SaysSoInJson) {
  directory_.Add("RunsAndHangs");
  const CommandResult result = RunHere({"--backends", "MockRunsVariant,CpuRef", "--run-timeout",
                                        "50", "--concurrency", "2", "--format", "json"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const Json diagnostic = Json::parse(result.out).at("diagnostics").at(0);
  EXPECT_EQ(diagnostic.at("code"), GetDiagnosticId(DiagnosticCode::kRunHangs));
  EXPECT_EQ(diagnostic.at("what"), "2 runs have not come back");
  EXPECT_EQ(diagnostic.at("causes").size(), 2U);
}

TEST_F(RunTimeout, IsAPositiveNumber) {
  const CommandResult result = RunHere({"--run-timeout", "0"});
  ExpectRefusal(result, 64, DiagnosticCode::kUsageError, {"--run-timeout"});
}

}  // namespace
}  // namespace backplane::test
