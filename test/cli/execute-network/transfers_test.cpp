/// What execute-network says of tensors that cross between backends, and of the data of inputs and
/// outputs.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kImageBytes = 28 * 28 * 4;
constexpr int kScoresBytes = 10 * 4;

/// Runs the digit model on CpuRef, and relu1 on a mock that keeps its tensors in a layout of its
/// own, so that its input and its output must be copied.
class Transfers : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
    directory_.Add("Compressed");
  }

  CommandResult RunHere(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"--backends-path", directory_.GetPath(), "--backends",
                                    "CpuRef"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunDigits(all);
  }

  CommandResult RunOnBoth(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--layer-backend", "relu1=MockCompressed"});
    return RunHere(arguments);
  }

  static Json Parse(const CommandResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? Json::parse(result.out) : Json::object();
  }

  MockDirectory directory_;
};

TEST_F(Transfers, AreListedWithTheirBytes) {
  const Json json = Parse(RunOnBoth({"--format", "json"}));
  std::vector<std::string> ways;
  std::uint64_t copied_bytes = 0;
  for (const Json& transfer : json.at("transfers").at("transfers")) {
    copied_bytes += transfer.at("bytes").get<std::uint64_t>();
    if (transfer.at("from").is_null() || transfer.at("to").is_null()) continue;
    ways.push_back(transfer.at("layer").get<std::string>() + ": " +
                   transfer.at("from").get<std::string>() + " -> " +
                   transfer.at("to").get<std::string>());
    EXPECT_GT(transfer.at("bytes"), 0) << transfer;
    EXPECT_NE(transfer.at("reason"), "") << transfer;
    EXPECT_EQ(transfer.at("steps").back().at("strategy"), "device copy") << transfer;
    EXPECT_EQ(transfer.at("steps").back().at("backend"), "MockCompressed") << transfer;
  }
  EXPECT_THAT(ways, testing::ElementsAre("conv1: CpuRef -> MockCompressed",
                                         "relu1: MockCompressed -> CpuRef"));
  EXPECT_EQ(json.at("transfers").at("copied_bytes"), copied_bytes);
  EXPECT_GE(json.at("transfers").at("num_copies"), 2);
}

TEST_F(Transfers, AreAmongTheCopiesOfARun) {
  std::vector<std::string> edges;
  const Json json = Parse(RunOnBoth({"--memory-use", "copy", "--format", "json"}));
  for (const Json& copy : json.at("copies")) {
    edges.push_back(copy.at("edge").get<std::string>() + ": " +
                    copy.at("strategy").get<std::string>());
    EXPECT_GT(copy.at("bytes"), 0) << copy;
  }
  EXPECT_THAT(edges, testing::ElementsAre(
                         "application -> image: copy", "conv1 -> MockCompressed: device copy",
                         "relu1 -> CpuRef: device copy", "scores -> application: copy"));
}

TEST_F(Transfers, AreExplained) {
  const std::string text = RunOnBoth({"--explain"}).out;
  ExpectContains(text, "copied bytes");
  ExpectContains(text, "why not shared\n");
  ExpectContains(text, "conv1  ");
  ExpectContains(text, "MockCompressed  float32 ");
  ExpectContains(text, " in one run\n");
  EXPECT_EQ(RunOnBoth({}).out.find("why not shared"), std::string::npos);
}

TEST_F(Transfers, StandOutInTheGraph) {
  const std::string file = folder_ / "plan.dot";
  EXPECT_EQ(RunOnBoth({"--dot", file}).exit_code, 0);
  std::ifstream stream(file);
  const std::string dot{std::istreambuf_iterator<char>(stream), {}};
  ExpectContains(dot, "copied_from -> copied_to");
  ExpectContains(dot, "\\ndevice copy by MockCompressed from ");
}

TEST_F(Transfers, MayBeLimited) {
  const Json json = Parse(RunOnBoth({"--format", "json"}));
  const auto bytes = json.at("transfers").at("copied_bytes").get<std::uint64_t>();
  ASSERT_GT(bytes, 0U);
  EXPECT_EQ(RunOnBoth({"--max-copied-bytes", std::to_string(bytes)}).exit_code, 0);
  ExpectRefusal(RunOnBoth({"--max-copied-bytes", std::to_string(bytes - 1)}), 2,
                DiagnosticCode::kTooManyBytesCopied,
                {std::to_string(bytes), std::to_string(bytes - 1)});
}

TEST_F(Transfers, AreLimitedByAWholeNumberOfBytes) {
  for (const char* text : {"x", "-1", "1.5", "1k", "18446744073709551616"}) {
    ExpectRefusal(RunHere({"--max-copied-bytes=" + std::string(text)}), 64,
                  DiagnosticCode::kUsageError,
                  {"--max-copied-bytes cannot be \"" + std::string(text) + "\"",
                   "expected a whole number of bytes, such as 0 or 1048576"});
  }
  EXPECT_EQ(RunHere({"--max-copied-bytes", "18446744073709551615"}).exit_code, 0);
}

TEST_F(Transfers, AreOnlyThoseOfTheApplicationOnOneBackend) {
  const Json json = Parse(RunHere({"--format", "json"}));
  for (const Json& transfer : json.at("transfers").at("transfers")) {
    EXPECT_TRUE(transfer.at("from").is_null() || transfer.at("to").is_null()) << transfer;
  }
}

/// The memory use of the image, then of the scores.
std::vector<Json> GetUses(const Json& json) {
  const Json& use = json.at("memory_use");
  EXPECT_EQ(use.at("inputs").size(), 1U);
  EXPECT_EQ(use.at("outputs").size(), 1U);
  std::vector<Json> uses = {use.at("inputs").at(0), use.at("outputs").at(0)};
  EXPECT_EQ(uses[0].at("name"), "image");
  EXPECT_EQ(uses[1].at("name"), "scores");
  return uses;
}

TEST_F(Transfers, CountEveryRunOfEveryThread) {
  const Json json = Parse(
      RunHere({"--warmup", "2", "--iterations", "3", "--concurrency", "2", "--format", "json"}));
  constexpr int kRuns = (2 + 3) * 2;
  for (const Json& use : GetUses(json)) {
    const int copied_runs = use.at("copied_runs").get<int>();
    EXPECT_EQ(use.at("imported_runs").get<int>() + copied_runs, kRuns);
    EXPECT_EQ(use.at("reason").get<std::string>().empty(), copied_runs == 0) << use;
    EXPECT_EQ(use.at("copied_bytes") != 0, copied_runs > 0) << use;
  }
}

TEST_F(Transfers, CopyTheDataOfTheApplicationWhenTold) {
  const std::vector<std::string> arguments = {"--warmup",     "1",   "--iterations", "3",
                                              "--memory-use", "copy"};
  constexpr int kRuns = 4;
  std::vector<std::string> for_json = arguments;
  for_json.insert(for_json.end(), {"--format", "json"});
  const Json json = Parse(RunHere(for_json));
  const std::vector<Json> uses = GetUses(json);
  for (const Json& use : uses) {
    EXPECT_EQ(use.at("imported_runs"), 0);
    EXPECT_EQ(use.at("copied_runs"), kRuns);
  }
  EXPECT_EQ(uses[0].at("copied_bytes"), kRuns * kImageBytes);
  EXPECT_EQ(uses[1].at("copied_bytes"), kRuns * kScoresBytes);
  ASSERT_EQ(json.at("copies").size(), 2U);
  EXPECT_EQ(json.at("copies").at(0).at("edge"), "application -> image");
  EXPECT_EQ(json.at("copies").at(0).at("bytes"), kImageBytes);
  EXPECT_EQ(json.at("copies").at(1).at("edge"), "scores -> application");
  EXPECT_EQ(json.at("copies").at(1).at("bytes"), kScoresBytes);
  std::vector<std::string> for_text = arguments;
  for_text.emplace_back("--explain");
  const std::string text = RunHere(for_text).out;
  ExpectContains(text, "\ninput image: copied 4 of 4 runs (12544 bytes), because ");
  ExpectContains(text, "\noutput scores: copied 4 of 4 runs (160 bytes), because ");
}

TEST_F(Transfers, NeverCopyTheDataOfTheApplicationWhenItMustBeImported) {
  const CommandResult result = RunHere({"--memory-use", "import", "--format", "json"});
  const Json json = Json::parse(result.out);
  if (result.exit_code != 0) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(json.at("diagnostics").at(0).at("name"), "import-refused");
    EXPECT_NE(json.at("diagnostics").at(0).at("why"), "");
    return;
  }
  for (const Json& use : GetUses(json)) EXPECT_EQ(use.at("copied_runs"), 0) << use;
}

TEST_F(Transfers, NameTheWaysToUseMemory) {
  ExpectRefusal(RunHere({"--memory-use", "imports"}), 64, DiagnosticCode::kUsageError,
                {"expected import-else-copy or import or copy; did you mean import?"});
}

TEST_F(Transfers, AreBetweenTheBlocksThatTheReportLists) {
  const Json memory = Parse(RunHere({"--format", "json"})).at("memory");
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound_bytes = 0;
  for (const Json& arena : memory.at("arenas")) {
    arena_bytes += arena.at("arena_bytes").get<std::uint64_t>();
    lower_bound_bytes += arena.at("lower_bound_bytes").get<std::uint64_t>();
    EXPECT_GE(arena.at("arena_bytes"), arena.at("lower_bound_bytes"));
  }
  EXPECT_FALSE(memory.at("arenas").empty());
  EXPECT_EQ(memory.at("arena_bytes"), arena_bytes);
  EXPECT_EQ(memory.at("lower_bound_bytes"), lower_bound_bytes);
}

}  // namespace
}  // namespace backplane::test
