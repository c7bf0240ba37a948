// How well the arenas of real models are planned, as a user would see it.

#include "run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FindModels(const fs::path& folder) {
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "model.onnx")) models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

CommandResult RunOnce(const fs::path& folder) {
  std::vector<std::string> arguments{(folder / "model.onnx").string(),
                                     "--backends",
                                     "CpuRef",
                                     "--format",
                                     "json",
                                     "--warmup",
                                     "0",
                                     "--iterations",
                                     "1"};
  const fs::path data = folder / "test_data_set_0";
  if (fs::exists(data)) {
    arguments.push_back("--test-data");
    arguments.push_back(data.string());
  }
  return RunCommand(EXECUTE_NETWORK, arguments);
}

// Models with operators or inputs that are not supported yet are left out, and named.
TEST(ModelMemory, ArenasAreWithinFivePercentOfTheLowerBound) {
  const fs::path folder = BACKPLANE_SHARED_MODELS;
  if (!fs::exists(folder)) {
    GTEST_SKIP() << folder << " does not exist; set BACKPLANE_SHARED_MODELS to where models are";
  }
  int num_planned = 0;
  for (const fs::path& model : FindModels(folder)) {
    const CommandResult result = RunOnce(model);
    const std::string name = model.filename().string();
    if (result.exit_code == 2) {
      std::cout << name << " does not run\n";
      continue;
    }
    const nlohmann::json memory = nlohmann::json::parse(result.out).at("memory");
    const auto arena = memory.at("arena_bytes").get<std::uint64_t>();
    const auto lower_bound = memory.at("lower_bound_bytes").get<std::uint64_t>();
    std::cout << name << " arena " << arena << " lower bound " << lower_bound << " constants "
              << memory.at("constants_bytes") << "\n";
    EXPECT_GE(arena, lower_bound) << name;
    EXPECT_LE(arena, lower_bound + lower_bound / 20) << name;
    ++num_planned;
  }
  EXPECT_GE(num_planned, 4);
}

}  // namespace
}  // namespace backplane::test
