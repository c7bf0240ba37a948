/// --compare-layers, --fail-on-warning.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "json_schema.hpp"
#include "mock_rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class CompareLayers : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
    directory_.Add("RunsToNan");
  }

  CommandResult RunOn(const std::string& backends, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"--backends-path", directory_.GetPath(), "--backends",
                                          backends};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunDigits(arguments);
  }

 private:
  MockDirectory directory_;
};

TEST_F(CompareLayers, SaysInOneLineThatAllAgree) {
  const CommandResult result = RunOn("CpuRef", {"--compare-layers", "CpuRef"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  ExpectContains(result.out, "compared with CpuRef, all agree; error at the end 0\n");
  EXPECT_EQ(result.out.find("own error"), std::string::npos);
}

// Each activation makes one NaN from whatever it reads; the layers in between are right.
TEST_F(CompareLayers, NamesTheFirstLayerThatDiffersAndOnlyLayersThatAreWrongThemselves) {
  const CommandResult result = RunOn("MockRunsToNan,CpuRef", {"--compare-layers", "CpuRef"});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.err, Headline(DiagnosticCode::kResultsDiffer) + "layer \"");
  ExpectContains(result.err, "(Activation) on MockRunsToNan");
  ExpectContains(result.err, "differs from CpuRef");
  ExpectContains(result.err, " is nan, expected ");
  ExpectContains(result.out, "error so far");
}

TEST_F(CompareLayers, IsInJson) {
  const CommandResult result =
      RunOn("MockRunsToNan,CpuRef", {"--compare-layers", "CpuRef", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  const SchemaVerdict verdict = CheckAgainstSchema("execute-network", result.out);
  EXPECT_EQ(verdict.breaches, "");
  const Json comparison = Json::parse(result.out).at("layers").at(0);
  EXPECT_EQ(comparison.at("reference"), "CpuRef");
  const Json& layers = comparison.at("layers");
  const Json& first = layers.at(comparison.at("first_different").get<std::size_t>());
  EXPECT_EQ(first.at("backend"), "MockRunsToNan");
  EXPECT_EQ(first.at("type"), "Activation");
  EXPECT_EQ(first.at("ok"), false);
  EXPECT_GT(first.at("tolerance").at("base"), 0);
  EXPECT_TRUE(first.at("element").at("found").is_null());
  for (const Json& layer : layers) {
    if (layer.at("backend") == "CpuRef") {
      EXPECT_EQ(layer.at("ok"), true) << layer;
    }
  }
}

TEST_F(CompareLayers, RefusesAReferenceThatIsNotThere) {
  const CommandResult result = RunOn("CpuRef", {"--compare-layers", "CpuReff"});
  EXPECT_EQ(result.exit_code, 2);
  ExpectContains(result.err, "CpuReff");
  ExpectContains(result.err, "CpuRef");
}

TEST_F(CompareLayers, IsWhatADifferenceAdvises) {
  const std::string zeros = WriteTensor("zeros.pb", {{1, 10}, DataType::kFloat32});
  const CommandResult result = RunOn("CpuRef", {"--expect", "scores=" + zeros});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.err, "--compare-layers CpuRef");
  ExpectContains(result.out, "tolerance");
}

TEST_F(CompareLayers, FailsOnWarningsThatItNames) {
  const CommandResult result = RunOn("MockRunsToNan,CpuRef", {"--fail-on-warning"});
  EXPECT_EQ(result.exit_code, 4);
  ExpectContains(result.err, Headline(DiagnosticCode::kWarningsFail) +
                                 "there is a warning; found " +
                                 GetDiagnosticId(DiagnosticCode::kNonFiniteResult) +
                                 " non-finite-result of scores; expected none");
}

TEST_F(CompareLayers, DoesNotFailWithoutWarnings) {
  EXPECT_EQ(RunOn("CpuRef", {"--fail-on-warning"}).exit_code, 0);
}

}  // namespace
}  // namespace backplane::test
