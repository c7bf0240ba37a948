/// Models on backends with kinds of tensor memory: every scenario alone and every two of them in
/// turn compute, to the bit, what the reference backend computes, or there is no way between them.

#include "mock_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace backplane::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

const std::vector<std::string>& GetScenarios() {
  static const std::vector<std::string> scenarios{
#define BACKPLANE_SCENARIO(name, ...) #name,
#define BACKPLANE_KIND(...)
#include <memory/scenarios.def>
#undef BACKPLANE_SCENARIO
#undef BACKPLANE_KIND
  };
  return scenarios;
}

using Make = std::unique_ptr<INetwork> (*)();

/// What the reference backend computes alone.
std::vector<unsigned char> ComputeReference(Make make) {
  const auto runtime = CreateRuntime(BACKPLANE_CPUREF_DIR);
  return LoadedModel(*runtime, *make(), {"CpuRef"}).RunTwice()[0];
}

/// A runtime with these rows and no other backend.
class Machine {
 public:
  explicit Machine(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      directory_.Add(row);
      ids_.push_back(GetMockRow(row).id);
    }
    runtime_ = CreateRuntime(directory_.GetPath());
  }

  IRuntime& GetRuntime() const { return *runtime_; }
  const std::vector<std::string>& GetIds() const { return ids_; }

  std::unique_ptr<LoadedModel> Load(Make make, const OptimizerOptions& options = {}) const {
    const auto network = make();
    AlternateBackends(*network, ids_);
    return std::make_unique<LoadedModel>(*runtime_, *network, ids_, options);
  }

 private:
  const MockDirectory directory_;
  std::vector<std::string> ids_;
  std::unique_ptr<IRuntime> runtime_;
};

/// What comes of a model on backends in turn: "" when it is right.
std::string Try(const Machine& machine, Make make, const std::vector<unsigned char>& expected) {
  try {
    for (const auto& result : machine.Load(make)->RunTwice()) {
      if (result != expected) return "the result differs";
    }
    return "";
  } catch (const DiagnosticException& exception) {
    return exception.what();
  }
}

TEST(MockModels, Explore) {
  const auto expected = ComputeReference(&MakeConvolutionalModel);
  const auto expected_half = ComputeReference(&MakeHalfPrecisionModel);
  for (const std::string& first : GetScenarios()) {
    const Machine machine({first});
    std::printf("%s: %s\n", first.c_str(), Try(machine, &MakeConvolutionalModel, expected).c_str());
    std::printf("%s half: %s\n", first.c_str(),
                Try(machine, &MakeHalfPrecisionModel, expected_half).c_str());
  }
  for (const std::string& first : GetScenarios()) {
    for (const std::string& second : GetScenarios()) {
      if (first == second) continue;
      const Machine machine({first, second});
      std::printf("%s %s: %s\n", first.c_str(), second.c_str(),
                  Try(machine, &MakeConvolutionalModel, expected).substr(0, 300).c_str());
    }
  }
}

}  // namespace
}  // namespace backplane::test
