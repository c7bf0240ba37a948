/// How execute-network is told which backend runs what, and what it says of the plan.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::ElementsAre;
using testing::Pair;

/// Runs the digit model with CpuRef and mocks.
class PlacementOptions : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
    directory_.Add("Runs");
    directory_.Add("ClaimsEverything");
  }

  CommandResult RunHere(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"--backends-path", directory_.GetPath(), "--backends",
                                    "CpuRef"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunDigits(all);
  }

  Json GetPlacement(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    const CommandResult result = RunHere(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? Json::parse(result.out).at("placement") : Json::array();
  }

  /// The backends of the layers that are not run by CpuRef.
  std::map<std::string, std::string> GetOthers(const std::vector<std::string>& arguments) const {
    std::map<std::string, std::string> others;
    for (const Json& layer : GetPlacement(arguments)) {
      if (layer.at("backend") != "CpuRef") others[layer.at("layer")] = layer.at("backend");
    }
    return others;
  }

  MockDirectory directory_;
};

TEST_F(PlacementOptions, TakesPlacesAndPreferencesFromVariablesAndDropIns) {
  const std::string drop_in = folder_.Write("10.conf", "nonsense\nprefer = CpuRef\n");
  fs::permissions(drop_in, fs::perms(0644));
  const std::vector<std::string> environment = {"BACKPLANE_BACKENDS_PATH=" + directory_.GetPath(),
                                                "BACKPLANE_CONFIGURATION_DIR=" + folder_.GetPath(),
                                                "DYNAMIC_BACKEND_PATHS="};
  const CommandResult result =
      Run({kModel, "--input", "image=" + kTensor, "--format", "json"}, environment);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.err, drop_in + ":1 cannot be used");
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report.at("preferred"),
            (Json::array({{{"backend", "CpuRef"}, {"origin", drop_in + ":2"}}})));
  for (const Json& layer : report.at("placement")) EXPECT_EQ(layer.at("backend"), "CpuRef");

  const CommandResult told = Run({kModel, "--input", "image=" + kTensor, "--backends", "CpuRef",
                                  "--backends-path", "/no-such-directory"},
                                 environment);
  EXPECT_EQ(told.exit_code, 2) << "a place that is told wins over all others";
}

TEST_F(PlacementOptions, KeepsWhatIsCompiledInADirectory) {
  const fs::path folder = fs::path(directory_.GetPath()) / "kept" / "networks";
  EXPECT_EQ(RunHere({"--compiled-cache", folder.string()}).exit_code, 0);
  EXPECT_TRUE(fs::is_directory(folder));
  std::ofstream(fs::path(directory_.GetPath()) / "file") << "no directory";
  const std::string file = (fs::path(directory_.GetPath()) / "file").string();
  ExpectRefusal(RunHere({"--compiled-cache", file}), 2, DiagnosticCode::kCompiledCacheUnusable,
                {file});
}

TEST_F(PlacementOptions, GivesThreadsToTheBackendsThatHaveTheOption) {
  ExpectRefusal(RunHere({"--threads", "2"}), 64, DiagnosticCode::kUnknownOption,
                {"no backend knows how to run with --threads",
                 "none of these has an option \"threads\": CpuRef"});
  directory_.Add("Complete");
  const CommandResult result = RunHere({"--layer-backend", "conv1=MockComplete", "--threads", "2",
                                        "--option", "MockComplete:threads=3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectRefusal(RunHere({"--threads", "0"}), 64, DiagnosticCode::kUsageError,
                {"expected a whole number from 1 to 4294967295"});
}

TEST_F(PlacementOptions, GivesLayersToTheBackendOfTheirPattern) {
  EXPECT_THAT(GetOthers({}), testing::IsEmpty());
  EXPECT_THAT(GetOthers({"--layer-backend", "relu1=MockRuns"}),
              ElementsAre(Pair("relu1", "MockRuns")));
  EXPECT_THAT(GetOthers({"--layer-backend", "re?u[0-9]=MockRuns"}),
              ElementsAre(Pair("relu1", "MockRuns"), Pair("relu2", "MockRuns")));
}

TEST_F(PlacementOptions, LetsTheLastPatternHold) {
  EXPECT_THAT(GetOthers({"--layer-backend", "relu*=MockRuns", "--layer-backend", "*2=CpuRef"}),
              ElementsAre(Pair("relu1", "MockRuns")));
  EXPECT_THAT(GetOthers({"--layer-backend", "*2=CpuRef", "--layer-backend", "relu*=MockRuns"}),
              ElementsAre(Pair("relu1", "MockRuns"), Pair("relu2", "MockRuns")));
}

TEST_F(PlacementOptions, FallsBackWhereTheBackendRefusesAndSaysSo) {
  const Json layer = GetPlacement({"--layer-backend", "conv1=MockRuns"}).at(0);
  EXPECT_EQ(layer.at("backend"), "CpuRef");
  EXPECT_EQ(layer.at("hint"), "MockRuns");
  EXPECT_EQ(layer.at("refusals").at(0).at("backend"), "MockRuns");
  const CommandResult text = RunHere({"--layer-backend", "*1=MockRuns", "--explain"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  ExpectContains(text.out,
                 "conv1    Convolution     CpuRef    hinted: MockRuns\n"
                 "                                   MockRuns refused: layer type Convolution is");
  ExpectContains(text.out, "relu1    Activation      MockRuns  as hinted\n");
}

TEST_F(PlacementOptions, EndsWithAnErrorForAStrictPatternThatIsRefused) {
  ExpectRefusal(RunHere({"--strict", "--layer-backend", "*1=MockRuns"}), 2,
                DiagnosticCode::kHintRefused,
                {"2 layers of network", "backend \"MockRuns\" refuses layer \"conv1\"",
                 "layer \"pool1\"", "no --strict"});
  EXPECT_EQ(RunHere({"--strict", "--layer-backend", "relu*=MockRuns"}).exit_code, 0);
}

TEST_F(PlacementOptions, SuggestsTheNearestLayers) {
  ExpectRefusal(
      RunHere({"--layer-backend", "conf*=MockRuns"}), 2, DiagnosticCode::kLayerNotFound,
      {"no layer of the model matches \"conf*\"", "its 9 layers are conv1, relu1, pool1 and 6 more",
       "did you mean conv1 or conv2?"});
  ExpectRefusal(RunHere({"--layer-backend", "zzzzzzzzz=MockRuns"}), 2,
                DiagnosticCode::kLayerNotFound, {"run with --explain"});
}

TEST_F(PlacementOptions, NamesEveryPatternThatMatchesNothing) {
  ExpectRefusal(RunHere({"--layer-backend", "a=MockRuns", "--layer-backend", "relu1=MockRuns",
                         "--layer-backend", "b=MockRuns"}),
                2, DiagnosticCode::kLayerNotFound,
                {"2 patterns match no layer", "matches \"a\"", "matches \"b\""});
}

TEST_F(PlacementOptions, SuggestsTheNearestBackendForALayer) {
  ExpectRefusal(RunHere({"--layer-backend", "relu1=MockRun"}), 2,
                DiagnosticCode::kBackendNotRegistered, {"did you mean \"MockRuns\"?"});
}

TEST_F(PlacementOptions, GivesOptionsToTheNetworkOfTheBackend) {
  const Json layer = GetPlacement({"--layer-backend", "conv1=MockClaimsEverything", "--option",
                                   "MockClaimsEverything:takes_layers=false", "--option",
                                   "MockClaimsEverything:reason=because a=b"})
                         .at(0);
  EXPECT_EQ(layer.at("backend"), "CpuRef");
  EXPECT_EQ(layer.at("refusals").at(0).at("reason"), "because a=b");
}

TEST_F(PlacementOptions, GivesOptionsToTheRuntimeOfTheBackend) {
  const std::vector<std::string> arguments = {"--layer-backend", "conv1=MockClaimsEverything",
                                              "--option", "MockClaimsEverything:device=2"};
  ExpectRefusal(RunHere(arguments), 2, DiagnosticCode::kFailedAtFirstUse,
                {"backend \"MockClaimsEverything\" failed", "there is no device 2"});
}

struct ClashingPair {
  const char* folder;
  const char* ids[2];
  const char* reason;
};

/// Of two backends that cannot be in one process, the one that is named first stays.
TEST_F(PlacementOptions, KeepsThePreferenceThatIsNamedFirstOfTwoThatClash) {
  const ClashingPair pairs[] = {
      {"clash-static-tls", {"MockThreadStorageA", "MockThreadStorageB"}, "static TLS"},
      {"clash-variable-sizes", {"MockSmallTable", "MockLargeTable"}, "shares variables of another"},
  };
  for (const ClashingPair& pair : pairs) {
    const fs::path folder = fs::path(test::InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR)) / pair.folder;
    fs::copy(folder, directory_.GetPath(), fs::copy_options::recursive);
    for (const int first : {0, 1}) {
      const std::string stays = pair.ids[first];
      const std::string out = pair.ids[1 - first];
      const std::vector<std::string> arguments = {"--backends-path", directory_.GetPath(),
                                                  "--backends", stays + ',' + out + ",CpuRef"};
      const CommandResult result = RunDigits(arguments);
      EXPECT_EQ(result.exit_code, 0) << result.err;
      ExpectContains(result.err, "warning BP5302: backend \"" + out + "\" stays out");
      ExpectContains(result.err, pair.reason);
      EXPECT_EQ(result.err.find("\"" + stays + "\" stays out"), std::string::npos) << result.err;
      std::vector<std::string> failing = arguments;
      failing.emplace_back("--fail-on-warning");
      EXPECT_EQ(RunDigits(failing).exit_code, 4);
    }
  }
}

TEST_F(PlacementOptions, SaysWhichOptionsABackendHas) {
  ExpectRefusal(RunHere({"--option", "MockClaimsEverything:devise=2"}), 64,
                DiagnosticCode::kUnknownOption,
                {"its options are device, takes_layers, reason", "did you mean \"device\"?"});
  ExpectRefusal(RunHere({"--option", "MockRuns:device=2"}), 64, DiagnosticCode::kUnknownOption,
                {"the backend has no options"});
  ExpectRefusal(RunHere({"--option", "MockRun:device=2"}), 2, DiagnosticCode::kBackendNotRegistered,
                {"did you mean \"MockRuns\"?"});
}

TEST_F(PlacementOptions, SaysWhichValuesAnOptionTakes) {
  ExpectRefusal(RunHere({"--option", "MockClaimsEverything:device=4"}), 64,
                DiagnosticCode::kInvalidOption, {"found ", "from 0 to 3"});
  ExpectRefusal(RunHere({"--option", "MockClaimsEverything:device=two", "--option",
                         "MockClaimsEverything:takes_layers=maybe"}),
                64, DiagnosticCode::kInvalidOption,
                {"2 options of backend \"MockClaimsEverything\"", "\"two\"", "\"maybe\""});
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(PlacementOptions, WritesThePlanAsAGraph) {
  const std::string file = folder_ / "plan.dot";
  const CommandResult result = RunHere(
      {"--layer-backend", "relu*=MockRuns", "--layer-backend", "conv1=MockRuns", "--dot", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string dot = ReadFile(file);
  ExpectContains(dot, "digraph placement {");
  ExpectContains(dot, "label=\"MockRuns\\n2 layers\"");
  ExpectContains(dot, "tooltip=\"runs on CpuRef\\nhinted: MockRuns\\nMockRuns refused: ");
  ExpectContains(dot, "label=\" float32 [1, 1, 28, 28]\"");
  if (std::system("dot -V >/dev/null 2>&1") == 0) {
    EXPECT_EQ(std::system(("dot -Tsvg '" + file + "' >/dev/null").c_str()), 0);
  }
}

// Where backends may not print.
TEST_F(PlacementOptions, WritesTheGraphToStandardOutput) {
  const CommandResult result = RunHere({"--dot", "/dev/stdout"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "digraph placement {");
}

TEST_F(PlacementOptions, SaysThatTheGraphCannotBeWritten) {
  ExpectRefusal(RunHere({"--dot", "/dev/null/plan.dot"}), 2, DiagnosticCode::kOutputUnwritable,
                {"/dev/null/plan.dot"});
}

TEST_F(PlacementOptions, GivesTheSamePlanInEveryProcess) {
  const std::vector<std::string> arguments = {"--layer-backend", "re*=MockRuns", "--layer-backend",
                                              "*2=MockRuns"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return more;
  };
  const std::string first = folder_ / "first.dot";
  const std::string again = folder_ / "again.dot";
  const std::string plan = GetPlacement(with({"--dot", first})).dump();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(GetPlacement(with({"--dot", again})).dump(), plan);
  EXPECT_EQ(ReadFile(first), ReadFile(again));
  const auto explain = [&] {
    const std::string text = RunHere(with({"--explain"})).out;
    return text.substr(text.find("layer    type"));  // what stands before has times
  };
  EXPECT_EQ(explain(), explain());
}

}  // namespace
}  // namespace backplane::test
