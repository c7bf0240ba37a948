/// What execute-network says of models whose shapes depend on data.

#include "execute_network_fixture.hpp"
#include "relu_model.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

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

/// How often a file is opened while a command runs.
class OpenedFile {
 public:
  explicit OpenedFile(const std::string& path) : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    // Closing too, as events that are alike become one.
    EXPECT_GE(inotify_add_watch(events_, path.c_str(), IN_OPEN | IN_CLOSE), 0);
  }
  ~OpenedFile() { close(events_); }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  int Count() const {
    inotify_event events[64] = {};
    EXPECT_GE(read(events_, events, sizeof(events)), 0);
    return static_cast<int>(
        std::count_if(std::begin(events), std::end(events),
                      [](const inotify_event& event) { return (event.mask & IN_OPEN) != 0; }));
  }

 private:
  int events_;
};

/// Two data sets, of so many numbers each; the model is a Relu whose dimension is open.
class TwoDataSets : public OpenModels {
 protected:
  CommandResult RunDataSets(std::int64_t first, std::int64_t second,
                            std::vector<std::string> more) const {
    more.insert(more.begin(), {model_, "--backends", "CpuRef", "--format", "json"});
    more.insert(more.end(), {"--test-data", folder_.GetPath()});
    int number = 0;
    for (const std::int64_t size : {first, second}) {
      const std::string set = folder_ / ("test_data_set_" + std::to_string(number++));
      std::filesystem::create_directory(set);
      const TensorInfo info({size}, DataType::kFloat32);
      const std::vector<unsigned char> zeros(info.GetSizeBytes());
      onnx::WriteTensorFile(set + "/input_0.pb", {"x", info, zeros});
      onnx::WriteTensorFile(set + "/output_0.pb", {"y", info, zeros});
    }
    return Run(more);
  }

  const std::string model_ =
      folder_.Write("relu.onnx", MakeModelOf("Relu", "relu", MakeField(2, "n")));
};

TEST_F(TwoDataSets, OfTwoShapesRunInOneOpenModel) {
  const OpenedFile file(model_);
  const CommandResult result = RunDataSets(4, 7, {"--check"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(file.Count(), 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.contains("stages"));
  EXPECT_EQ(json.at("inputs").at(0).at("shape"), nlohmann::json({4}));
  ASSERT_EQ(json.at("outputs").size(), 2U);
  EXPECT_EQ(json.at("outputs").at(0).at("shape"), nlohmann::json({4}));
  EXPECT_EQ(json.at("outputs").at(1).at("shape"), nlohmann::json({7}));
}

TEST_F(TwoDataSets, OfOneShapeRunInAFixedModel) {
  const OpenedFile file(model_);
  const CommandResult result = RunDataSets(4, 4, {});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(file.Count(), 1);
  EXPECT_FALSE(nlohmann::json::parse(result.out).contains("stages"));
}

TEST_F(OpenModels, AreOpenedOnce) {
  const std::string model = folder_.Write("open.onnx", MakeModelOf("NonZero", "choice"));
  const OpenedFile file(model);
  EXPECT_EQ(Run({model, "--backends", "CpuRef"}).exit_code, 0);
  EXPECT_EQ(file.Count(), 1);
}

TEST_F(OpenModels, HaveNoLayersToCompare) {
  const CommandResult result = RunOpen({"--compare-layers", "CpuRef"});
  ExpectRefusal(result, 64, DiagnosticCode::kUsageError, {"its layers depend on data"});
}

}  // namespace
}  // namespace backplane::test
