// Real models, run as a user would run them.

#include "run_command.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

CommandResult RunTestData(const fs::path& model, const fs::path& folder,
                          const std::vector<std::string>& tolerances = {}) {
  std::vector<std::string> arguments = {
      model.string(), "--test-data", folder.string(), "--backends", "CpuRef", "--warmup", "0"};
  arguments.insert(arguments.end(), tolerances.begin(), tolerances.end());
  return RunCommand(EXECUTE_NETWORK, arguments);
}

TEST(Models, DigitsAgree) {
  const fs::path folder = BACKPLANE_DIGITS_FOLDER;
  const CommandResult result = RunTestData(folder / "digits.onnx", folder);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

struct SharedModel {
  const char* name;
  bool is_exact = false;  // its outputs must be equal to the bit
};

class Models : public testing::TestWithParam<SharedModel> {};

TEST_P(Models, Agrees) {
  const fs::path folder = fs::path(BACKPLANE_SHARED_MODELS) / GetParam().name;
  if (!fs::exists(folder)) {
    GTEST_SKIP() << folder << " does not exist; set BACKPLANE_SHARED_MODELS to where models are";
  }
  std::vector<std::string> tolerances;
  if (GetParam().is_exact) tolerances = {"--atol", "0", "--rtol", "0", "--tolerance-of-max", "0"};
  const CommandResult result = RunTestData(folder / "model.onnx", folder, tolerances);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Shared, Models,
    testing::Values(SharedModel{"gtcrn_stream_11"}, SharedModel{"iris_mlp_11"},
                    SharedModel{"light_resnet50"}, SharedModel{"magika_v3_3_15"},
                    SharedModel{"mnist_cnn_8"}, SharedModel{"mnist_cnn_opt8"},
                    SharedModel{"mobilenetv2_a050_128_15"},
                    SharedModel{"shufflenet_v2_12_int8", true}, SharedModel{"silero_vad5_ov16k_16"},
                    SharedModel{"squeezenet11_fp32_7"}, SharedModel{"super_resolution_10"},
                    SharedModel{"ultraface_rfb320_9"}, SharedModel{"vittrack_14"},
                    SharedModel{"yolox_nano_11"}),
    [](const auto& row) { return std::string(row.param.name); });

struct SynthesisedModel {
  const char* name;
  const char* last_gemm_scale;
};

/// Topologies whose weights a script beside the models makes anew, always the same.
class SynthesisedModels : public testing::TestWithParam<SynthesisedModel> {};

TEST_P(SynthesisedModels, Agree) {
  const fs::path folder = BACKPLANE_SHARED_MODELS;
  const fs::path script = folder / "synth_weights.py";
  if (!fs::exists(script)) GTEST_SKIP() << script << " does not exist";
  const std::string name = GetParam().name;
  const TemporaryDirectory made;
  const std::string model = made.GetPath() + "/" + name + ".onnx";
  const CommandResult filled =
      RunCommand("/usr/bin/python3", {script.string(), folder / ("light_" + name) / "model.onnx",
                                      model, "--last-gemm-scale", GetParam().last_gemm_scale});
  if (filled.exit_code != 0) GTEST_SKIP() << "install python3-onnx: " << filled.err;
  const CommandResult result = RunTestData(model, folder / ("synth_" + name));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Shared, SynthesisedModels,
                         testing::Values(SynthesisedModel{"resnet50", "0.125"},
                                         SynthesisedModel{"squeezenet", "1"}),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace backplane::test
