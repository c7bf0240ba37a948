/// What execute-network says of models whose shapes depend on data.

#include "execute_network_fixture.hpp"
#include "relu_model.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane::test {
namespace {

class OpenModels : public ExecuteNetwork {
 protected:
  CommandResult RunOpen(std::vector<std::string> arguments) const {
    const std::string model = folder_.Write("open.onnx", MakeModelOf("NonZero", "choice"));
    arguments.insert(arguments.begin(), {model, "--backends", "CpuRef"});
    return Run(arguments);
  }
};

TEST_F(OpenModels, SayWhatRanBetweenTheirStages) {
  const CommandResult result = RunOpen({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "stages    1; the core ran node choice (NonZero)");
  ExpectContains(result.out, "none, all is done between stages");
}

TEST_F(OpenModels, TellTheirShapesAsJson) {
  const CommandResult result = RunOpen({"--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("stages").at("count"), 1);
  EXPECT_EQ(json.at("stages").at("operations"), nlohmann::json({"node choice (NonZero)"}));
  EXPECT_EQ(json.at("outputs").at(0).at("shape"), nlohmann::json({1, 4}));
}

TEST_F(OpenModels, WarnOfPatternsWithoutLayers) {
  const CommandResult result = RunOpen({"--layer-backend", "none*=CpuRef"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.err, "no layer of the model matches \"none*\"");
}

TEST_F(OpenModels, HaveNoLayersToCompare) {
  const CommandResult result = RunOpen({"--compare-layers", "CpuRef"});
  ExpectRefusal(result, 64, DiagnosticCode::kUsageError, {"its layers depend on data"});
}

}  // namespace
}  // namespace backplane::test
