// Real models, run as a user would run them.

#include "build_tree.hpp"
#include "run_command.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

/// Which backends run a model, with which further options.
struct Setting {
  const char* name;
  const char* backends;
  std::vector<std::string> options;
};

void PrintTo(const Setting& setting, std::ostream* stream) {
  *stream << setting.name;
}

bool IsThere(const Setting& setting) {
  const std::string first(setting.backends, std::strcspn(setting.backends, ","));
  return fs::exists(fs::path(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER)) /
                    ("Backplane_" + first + "_backend.so"));
}

CommandResult RunTestData(const Setting& setting, const fs::path& model, const fs::path& folder,
                          const std::vector<std::string>& tolerances = {}) {
  std::vector<std::string> arguments = {model.string(),
                                        "--test-data",
                                        folder.string(),
                                        "--backends",
                                        setting.backends,
                                        "--warmup",
                                        "0"};
  arguments.insert(arguments.end(), setting.options.begin(), setting.options.end());
  arguments.insert(arguments.end(), tolerances.begin(), tolerances.end());
  return RunCommand(EXECUTE_NETWORK, arguments);
}

const Setting kSettings[] = {{"CpuRef", "CpuRef", {}},
                             {"CpuAcc", "CpuAcc,CpuRef", {"--threads", "1"}},
                             {"CpuAccWithTwoThreads", "CpuAcc,CpuRef", {"--threads", "2"}},
                             {"OpenCl", "OpenCl,CpuAcc,CpuRef", {}}};

const Setting kIsolated[] = {{"IsolatedCpuAcc",
                              "CpuAcc,CpuRef",
                              {"--threads", "1", "--isolate", "CpuAcc", "--isolate", "CpuRef"}},
                             {"IsolatedOpenCl", "OpenCl,CpuAcc,CpuRef", {"--isolate", "OpenCl"}}};

/// Why a backend that is built cannot work on this machine; empty when it can.
std::string FindLack(const CommandResult& result) {
  const std::size_t begin = result.err.find("cannot work here");
  return result.exit_code == 2 && begin != std::string::npos ? result.err.substr(begin) : "";
}

class Digits : public testing::TestWithParam<Setting> {};

TEST_P(Digits, Agree) {
  if (!IsThere(GetParam())) GTEST_SKIP() << GetParam().name << " is not built";
  const fs::path folder = BACKPLANE_DIGITS_FOLDER;
  const CommandResult result = RunTestData(GetParam(), folder / "digits.onnx", folder);
  if (const std::string lack = FindLack(result); !lack.empty()) GTEST_SKIP() << lack;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(On, Digits, testing::ValuesIn(kSettings),
                         [](const auto& row) { return std::string(row.param.name); });

struct SharedModel {
  const char* name;
  bool is_exact = false;  // its outputs must be equal to the bit
};

void PrintTo(const SharedModel& model, std::ostream* stream) {
  *stream << model.name;
}

template <typename Model>
using ModelAndSetting = std::tuple<Model, Setting>;

template <typename Model>
std::string NameRow(const testing::TestParamInfo<ModelAndSetting<Model>>& row) {
  return std::string(std::get<0>(row.param).name) + "On" + std::get<1>(row.param).name;
}

class Models : public testing::TestWithParam<ModelAndSetting<SharedModel>> {};

TEST_P(Models, Agrees) {
  const auto& [model, setting] = GetParam();
  if (!IsThere(setting)) GTEST_SKIP() << setting.name << " is not built";
  const fs::path folder = fs::path(BACKPLANE_SHARED_MODELS) / model.name;
  if (!fs::exists(folder)) {
    GTEST_SKIP() << folder << " does not exist; set BACKPLANE_SHARED_MODELS to where models are";
  }
  std::vector<std::string> tolerances;
  if (model.is_exact) tolerances = {"--atol", "0", "--rtol", "0", "--tolerance-of-max", "0"};
  const CommandResult result = RunTestData(setting, folder / "model.onnx", folder, tolerances);
  if (const std::string lack = FindLack(result); !lack.empty()) GTEST_SKIP() << lack;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

const SharedModel kSharedModels[] = {{"gtcrn_stream_11"},
                                     {"iris_mlp_11"},
                                     {"light_resnet50"},
                                     {"magika_v3_3_15"},
                                     {"mnist_cnn_8"},
                                     {"mnist_cnn_opt8"},
                                     {"mobilenetv2_a050_128_15"},
                                     {"shufflenet_v2_12_int8", true},
                                     {"silero_vad5_ov16k_16"},
                                     {"squeezenet11_fp32_7"},
                                     {"super_resolution_10"},
                                     {"ultraface_rfb320_9"},
                                     {"vittrack_14"},
                                     {"yolox_nano_11"}};

INSTANTIATE_TEST_SUITE_P(Shared, Models,
                         testing::Combine(testing::ValuesIn(kSharedModels),
                                          testing::ValuesIn(kSettings)),
                         &NameRow<SharedModel>);

INSTANTIATE_TEST_SUITE_P(SharedIsolated, Models,
                         testing::Combine(testing::ValuesIn(kSharedModels),
                                          testing::ValuesIn(kIsolated)),
                         &NameRow<SharedModel>);

struct SynthesisedModel {
  const char* name;
  const char* last_gemm_scale;
};

void PrintTo(const SynthesisedModel& model, std::ostream* stream) {
  *stream << model.name;
}

/// Topologies whose weights a script beside the models makes anew, always the same.
class SynthesisedModels : public testing::TestWithParam<ModelAndSetting<SynthesisedModel>> {};

TEST_P(SynthesisedModels, Agree) {
  const auto& [topology, setting] = GetParam();
  if (!IsThere(setting)) GTEST_SKIP() << setting.name << " is not built";
  const fs::path folder = BACKPLANE_SHARED_MODELS;
  const fs::path script = folder / "synth_weights.py";
  if (!fs::exists(script)) GTEST_SKIP() << script << " does not exist";
  const std::string name = topology.name;
  const TemporaryDirectory made;
  const std::string model = made.GetPath() + "/" + name + ".onnx";
  const CommandResult filled =
      RunCommand("/usr/bin/python3", {script.string(), folder / ("light_" + name) / "model.onnx",
                                      model, "--last-gemm-scale", topology.last_gemm_scale});
  if (filled.exit_code != 0) GTEST_SKIP() << "install python3-onnx: " << filled.err;
  const CommandResult result = RunTestData(setting, model, folder / ("synth_" + name));
  if (const std::string lack = FindLack(result); !lack.empty()) GTEST_SKIP() << lack;
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

const SynthesisedModel kSynthesisedModels[] = {{"resnet50", "0.125"}, {"squeezenet", "1"}};

INSTANTIATE_TEST_SUITE_P(Shared, SynthesisedModels,
                         testing::Combine(testing::ValuesIn(kSynthesisedModels),
                                          testing::ValuesIn(kSettings)),
                         &NameRow<SynthesisedModel>);

}  // namespace
}  // namespace backplane::test
