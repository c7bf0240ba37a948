/// Which backend comes first, in a runtime that reads what operators set.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PreferencePrecedence : public ::testing::Test {
 protected:
  PreferencePrecedence() {
    Set("BACKPLANE_CONFIGURATION_DIR", drop_ins_.GetPath());
    Set("BACKPLANE_BACKENDS_PATH", backends_.GetPath());
    Set("DYNAMIC_BACKEND_PATHS", "");
    for (const char* row : {"Runs", "RunsActivation", "RunsBinary"}) backends_.Add(row);
  }

  ~PreferencePrecedence() override {
    for (const char* variable : variables_) ::unsetenv(variable);
  }

  void Set(const char* variable, const std::string& value) {
    variables_.push_back(variable);
    ASSERT_EQ(::setenv(variable, value.c_str(), 1), 0);
  }

  std::string WriteDropIn(const std::string& text) const {
    std::string path = drop_ins_.GetPath() + "/10.conf";
    std::ofstream(path) << text;
    EXPECT_EQ(::chmod(path.c_str(), 0644), 0);
    return path;
  }

  /// Who runs sum and relu.
  static std::vector<std::string> Place(const IRuntime& runtime, const INetwork& network,
                                        const std::vector<std::string>& preferences) {
    std::vector<std::string> ids;
    const auto optimized = Optimize(network, preferences, runtime.GetDeviceSpec());
    for (const LayerPlacement& layer : optimized->GetPlacement().layers) {
      ids.push_back(layer.backend_id);
    }
    return ids;
  }

  std::vector<const char*> variables_;
  const MockDirectory drop_ins_;
  const MockDirectory backends_;
};

TEST_F(PreferencePrecedence, HintsThenPreferencesThenPreferThenRank) {
  const auto network = MakeSumAndRelu();
  EXPECT_THAT(Place(*IRuntime::Create({}), *network, {}), ElementsAre("MockRuns", "MockRuns"));

  const std::string drop_in = WriteDropIn("# first\nprefer = MockRunsBinary\n");
  const auto runtime = IRuntime::Create({});
  EXPECT_THAT(Place(*runtime, *network, {}), ElementsAre("MockRunsBinary", "MockRuns"));
  EXPECT_THAT(ToText(Optimize(*network, {}, runtime->GetDeviceSpec())->GetPlacement()),
              HasSubstr("MockRunsBinary (" + drop_in + ":2 prefers it)"));
  EXPECT_THAT(Place(*runtime, *network, {"MockRuns"}), ElementsAre("MockRuns", "MockRuns"));

  for (const NetworkOperator& layer : network->GetOperators()) {
    if (layer.name == "relu") network->SetBackendHint(layer.id, "MockRunsActivation");
  }
  EXPECT_THAT(Place(*runtime, *network, {"MockRuns"}),
              ElementsAre("MockRuns", "MockRunsActivation"));
}

TEST_F(PreferencePrecedence, ADirectoryOfTheApplicationWinsButDisablingHolds) {
  WriteDropIn("disable = MockRunsBinary\n");
  const MockDirectory own;
  own.Add("RunsActivation");
  own.Add("RunsBinary");
  const auto runtime = CreateRuntime(own.GetPath());
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockRunsActivation"));
  ASSERT_EQ(runtime->GetLoadReport().search_paths.size(), 1U);
  EXPECT_EQ(runtime->GetLoadReport().search_paths[0].source, PathSource::kOption);
  EXPECT_EQ(runtime->GetLoadReport().configuration.directory, drop_ins_.GetPath());
}

TEST_F(PreferencePrecedence, SaysWhatSetThePlacesWhenThereIsNoBackend) {
  const std::string drop_in = WriteDropIn("path = /no-such-directory\nnonsense\n");
  Set("BACKPLANE_BACKENDS_PATH", "relative");
  try {
    IRuntime::Create({});
    FAIL() << "a runtime without backends was created";
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    EXPECT_THAT(diagnostic.why,
                HasSubstr("relative (environment, BACKPLANE_BACKENDS_PATH, element 1, invalid), "
                          "/no-such-directory (drop-in, " +
                          drop_in + ":1, invalid)"));
    ASSERT_EQ(diagnostic.causes.size(), 3U);
    EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kConfigurationLineUnusable);
    EXPECT_EQ(diagnostic.causes[1].code, DiagnosticCode::kSearchPathNotAbsolute);
    EXPECT_EQ(diagnostic.causes[2].code, DiagnosticCode::kSearchPathNotFound);
  }
}

}  // namespace
}  // namespace backplane::test
