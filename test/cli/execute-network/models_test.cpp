// Real models, run as a user would run them.

#include "run_command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

CommandResult RunTestData(const fs::path& model, const fs::path& folder) {
  return RunCommand(EXECUTE_NETWORK, {model.string(), "--test-data", folder.string(), "--backends",
                                      "CpuRef", "--warmup", "0"});
}

TEST(Models, DigitsAgree) {
  const fs::path folder = BACKPLANE_DIGITS_FOLDER;
  const CommandResult result = RunTestData(folder / "digits.onnx", folder);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

class Models : public testing::TestWithParam<const char*> {};

TEST_P(Models, Agrees) {
  const fs::path folder = fs::path(BACKPLANE_SHARED_MODELS) / GetParam();
  if (!fs::exists(folder)) {
    GTEST_SKIP() << folder << " does not exist; set BACKPLANE_SHARED_MODELS to where models are";
  }
  const CommandResult result = RunTestData(folder / "model.onnx", folder);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Shared, Models,
                         testing::Values("mnist_cnn_opt8", "mnist_cnn_8", "iris_mlp_11",
                                         "squeezenet11_fp32_7"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace backplane::test
