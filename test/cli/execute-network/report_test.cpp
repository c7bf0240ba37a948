/// What execute-network says of a run, as text and as JSON.

#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane::test {
namespace {

TEST_F(ExecuteNetwork, WritesJson) {
  const CommandResult result = Run({kModel, "--test-data", kDigits, "--backends", "CpuRef",
                                    "--iterations", "5", "--warmup", "1", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("model"), kModel);
  EXPECT_EQ(json.at("placement").at(0).at("layer"), "conv1");
  EXPECT_EQ(json.at("placement").at(0).at("type"), "Convolution");
  EXPECT_EQ(json.at("placement").at(0).at("backend"), "CpuRef");
  EXPECT_TRUE(json.at("placement").at(0).at("refusals").is_array());
  EXPECT_EQ(json.at("subgraphs").at(0).at("backend"), "CpuRef");
  EXPECT_EQ(json.at("latency_ms").at("iterations"), 5);
  EXPECT_EQ(json.at("latency_ms").at("data_set"), "test_data_set_0");
  ASSERT_EQ(json.at("inputs").size(), 1U);
  EXPECT_EQ(json.at("inputs").at(0).at("source"), kTensor);
  EXPECT_EQ(json.at("inputs").at(0).at("shape"), nlohmann::json({1, 1, 28, 28}));
  double before = 0;
  for (const char* name : {"min", "median", "p90", "p95", "p99", "max"}) {
    EXPECT_GE(json.at("latency_ms").at(name), before) << name;
    before = json.at("latency_ms").at(name);
  }
  EXPECT_GT(json.at("latency_ms").at("mean"), 0);
  EXPECT_GE(json.at("memory").at("arena_bytes"), json.at("memory").at("lower_bound_bytes"));
  EXPECT_GT(json.at("memory").at("constants_bytes"), 0);
  ASSERT_EQ(json.at("outputs").size(), 2U);
  EXPECT_EQ(json.at("outputs").at(1).at("name"), "scores");
  EXPECT_EQ(json.at("outputs").at(1).at("data_set"), "test_data_set_1");
  EXPECT_EQ(json.at("outputs").at(1).at("shape"), nlohmann::json({4, 10}));
  EXPECT_LT(json.at("outputs").at(1).at("max_abs_error"), 1e-4);
  EXPECT_EQ(json.at("outputs").at(1).at("ok"), true);
}

TEST_F(ExecuteNetwork, WritesNullInJsonForWhatWasNotCompared) {
  const CommandResult result = RunDigits({"--format", "json"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.at("outputs").at(0).at("ok").is_null());
  EXPECT_TRUE(json.at("outputs").at(0).at("max_abs_error").is_null());
}

TEST_F(ExecuteNetwork, WritesJsonOfWhatKeptItFromRunning) {
  const std::string broken = folder_.Write("broken.onnx", "hello\n");
  for (const std::string& model : {kDigits + "/digit.onnx", broken, kModel}) {
    const CommandResult result = Run({model, "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json.at("schema"), 1);
    EXPECT_EQ(json.at("model"), model);
    ASSERT_EQ(json.at("diagnostics").size(), 1U);
    const auto& diagnostic = json.at("diagnostics").at(0);
    EXPECT_EQ(diagnostic.at("severity"), "error");
    EXPECT_TRUE(diagnostic.at("causes").is_array());
    for (const char* key : {"code", "name", "what", "why", "fix"}) {
      EXPECT_TRUE(diagnostic.at(key).is_string()) << key;
    }
    ExpectContains(result.err, "error " + diagnostic.at("code").get<std::string>() + ": " +
                                   diagnostic.at("what").get<std::string>());
  }
}

TEST_F(ExecuteNetwork, WritesJsonWithTheCausesOfAFailure) {
  const CommandResult result =
      RunDigits({"--backends-path", "/no/such/folder", "--format", "json"});
  EXPECT_EQ(result.exit_code, 2);
  const auto diagnostic = nlohmann::json::parse(result.out).at("diagnostics").at(0);
  EXPECT_EQ(diagnostic.at("code"), GetDiagnosticId(DiagnosticCode::kNoBackends));
  EXPECT_EQ(diagnostic.at("name"), "no-backends");
  ASSERT_FALSE(diagnostic.at("causes").empty());
  EXPECT_EQ(diagnostic.at("causes").at(0).at("name"), "search-path-not-found");
}

TEST_F(ExecuteNetwork, ExplainsEachLayer) {
  const CommandResult result = RunDigits({"--explain"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "conv1");
  ExpectContains(result.out, "FullyConnected");
  ExpectContains(result.out, "notes");
}

TEST_F(ExecuteNetwork, MeasuresIterations) {
  const CommandResult result = RunDigits({"--iterations", "7", "--warmup", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, " median of 7 runs\n          min ");
  ExpectContains(result.out, ", p99 ");
  ExpectContains(RunDigits({}).out, " ms, one run\n");
}

TEST_F(ExecuteNetwork, MeasuresTheFirstDataSetAndComparesAll) {
  const std::vector<std::string> arguments = {kModel, "--test-data", kDigits};
  ExpectContains(Run(arguments).out, " ms, one run of test_data_set_0\n");
  const CommandResult result = Run({kModel, "--test-data", kDigits, "--iterations", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, " median of 3 runs of test_data_set_0\n          min ");
  ExpectContains(result.out, "\nok: 2 outputs compared, all agree\n");
}

TEST_F(ExecuteNetwork, MeasuresTheRunsOfSeveralThreads) {
  const std::vector<std::string> arguments = {
      "--iterations", "3", "--concurrency", "2", "--expect", "scores=" + kExpected};
  const CommandResult result = RunDigits(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, " median of 6 runs, 2 at once, ");
  ExpectContains(result.out, " runs/s\n");
  std::vector<std::string> for_json = arguments;
  for_json.insert(for_json.end(), {"--format", "json"});
  const auto latency = nlohmann::json::parse(RunDigits(for_json).out).at("latency_ms");
  EXPECT_EQ(latency.at("iterations"), 6);
  EXPECT_EQ(latency.at("concurrency"), 2);
  EXPECT_GT(latency.at("runs_per_second"), 0);
}

TEST_F(ExecuteNetwork, ComparesTheOutputsOfEveryThreadOnce) {
  const std::string other = WriteTensor("zeros.pb", {{1, 10}, DataType::kFloat32});
  const CommandResult result = RunDigits({"--concurrency", "3", "--expect", "scores=" + other});
  EXPECT_EQ(result.exit_code, 1);
  ExpectContains(result.out, "differs: 1 output compared, 1 differs\n");
}

TEST_F(ExecuteNetwork, LaysOutErrorsInLines) {
  const CommandResult result = RunCommand(EXECUTE_NETWORK, {kModel});
  ExpectContains(result.err, "\n  why: ");
  ExpectContains(result.err, "\n  fix: give ");
  for (std::size_t begin = 0; begin < result.err.size();) {
    const std::size_t end = result.err.find('\n', begin);
    const std::string line = result.err.substr(begin, end - begin);
    EXPECT_TRUE(line.size() <= 80 || line.find(kDigits) != std::string::npos) << line;
    begin = end + 1;
  }
}

TEST_F(ExecuteNetwork, WarmsUpOnceUnlessToldOtherwise) {
  ExpectContains(Run({"--help"}).out, "--warmup N=1 ");
}

TEST_F(ExecuteNetwork, IsColourlessWhereNoTerminalIs) {
  EXPECT_EQ(Run({kModel, "--test-data", kDigits}).out.find('\x1B'), std::string::npos);
}

TEST_F(ExecuteNetwork, IsColouredOnATerminal) {
  const std::vector<std::string> arguments = {kModel, "--test-data", kDigits};
  constexpr unsigned short kWidth = 80;
  const CommandResult result =
      RunOnTerminal(EXECUTE_NETWORK, arguments, kWidth, {{"TERM=xterm"}, "", ""});
  ExpectContains(result.out, "\x1B[32mok\x1B[0m");
  const CommandResult plain =
      RunOnTerminal(EXECUTE_NETWORK, arguments, kWidth, {{"TERM=xterm", "NO_COLOR=1"}, "", ""});
  // Every coloured text ends so. A run that takes long shows how far it is, and takes that away.
  EXPECT_EQ(plain.out.find("\x1B[0m"), std::string::npos);
}

TEST_F(ExecuteNetwork, ShowsHowFarLongRunsAreOnATerminal) {
  // More and more runs, until they are long on this machine; the line is removed in the end.
  constexpr unsigned short kWidth = 80;
  constexpr int kMost = 10'000'000;
  CommandResult result;
  std::vector<std::string> arguments;
  int iterations = 10'000;
  for (; iterations <= kMost; iterations *= 4) {
    arguments = {kModel,   "--input",      "image=" + kTensor,        "--backends",
                 "CpuRef", "--iterations", std::to_string(iterations)};
    result = RunOnTerminal(EXECUTE_NETWORK, arguments, kWidth, {{"TERM=xterm"}, "", ""});
    if (result.out.find("\r[") != std::string::npos) break;
  }
  ASSERT_LE(iterations, kMost) << result.out;
  ExpectContains(result.out, " of " + std::to_string(iterations + 1) + " runs, ");
  ExpectContains(result.out, " s left\x1B[K");
  EXPECT_EQ(RunCommand(EXECUTE_NETWORK, arguments).err, "");
}

TEST_F(ExecuteNetwork, SaysThatItsResultsCannotBeWritten) {
  const CommandResult result =
      RunCommand(EXECUTE_NETWORK, {kModel, "--input", "image=" + kTensor}, {{}, "", "/dev/full"});
  EXPECT_EQ(result.exit_code, 2);
  ExpectContains(result.err, Headline(DiagnosticCode::kOutputUnwritable));
}

}  // namespace
}  // namespace backplane::test
