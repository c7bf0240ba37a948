/// Checks of backends that are real shared objects, in this process and in processes of their own.

#include "mock_rows.hpp"

#include <backplane/host/thread_state.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Makes a layer of Mock_Misbehaves do what its name says.
constexpr float kCheckedCue = 13;

class CheckedRuntime {
 public:
  CheckedRuntime(const std::string& mock, Isolation isolation) {
    directory_.Add(mock);
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.checks = kAllChecks;
    if (isolation == Isolation::kProcess) {
      options.isolation.rules.push_back({"Mock" + mock, Isolation::kProcess});
    }
    runtime_ = IRuntime::Create(options);
  }

  NetworkId Load(const std::vector<std::string>& layers) const {
    auto network = INetwork::Create("chain");
    OutputSlot last = network->AddInputLayer({{4}, DataType::kFloat32}, "x");
    for (const std::string& name : layers) {
      last = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, name), 0};
    }
    network->AddOutputLayer(last, "y");
    return runtime_->LoadNetwork(Optimize(*network, {}, runtime_->GetDeviceSpec()));
  }

  std::vector<float> Run(NetworkId id, const RunOptions& run_options = {}) const {
    const std::vector<float> x = {kCheckedCue, 1, -1, 2};
    std::vector<float> y(4);
    std::optional<Diagnostic> failure;
    const Status status =
        runtime_->EnqueueWorkload(id, {{0, {{{4}, DataType::kFloat32}, x.data()}}},
                                  {{0, y.data(), 4 * sizeof(float)}}, run_options, &failure);
    EXPECT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    return y;
  }

  CheckReport GetReport(NetworkId id) const { return runtime_->GetCheckReport(id); }

 private:
  MockDirectory directory_;
  std::unique_ptr<IRuntime> runtime_;
};

class CheckedRuns : public testing::TestWithParam<Isolation> {};

TEST_P(CheckedRuns, NameTheLayerThatMakesNan) {
  const CheckedRuntime runtime("RunsToNan", GetParam());
  const NetworkId id = runtime.Load({"first", "second"});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(runtime.Run(id)[3]));
  RunOptions bounded;
  bounded.timeout = std::chrono::hours(1);
  EXPECT_TRUE(std::isnan(runtime.Run(id, bounded)[3]));
  const CheckReport report = runtime.GetReport(id);
  EXPECT_EQ(report.num_runs, 4U);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].layer, "first");
  EXPECT_EQ(report.findings[0].backend_id, "MockRunsToNan");
  EXPECT_EQ(report.findings[0].num_runs, 4U);
  EXPECT_THAT(report.findings[0].diagnostic.why,
              HasSubstr("found 1 NaN of 4 elements, first NaN at [3]"));
  EXPECT_THAT(report.unchecked, IsEmpty());
}

TEST_P(CheckedRuns, ThatAreRightSayNothing) {
  const CheckedRuntime runtime("Runs", GetParam());
  const NetworkId id = runtime.Load({"a", "b", "c"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 25; ++run) {
        EXPECT_EQ(runtime.Run(id), (std::vector<float>{kCheckedCue, 1, 0, 2}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CheckReport report = runtime.GetReport(id);
  EXPECT_EQ(report.num_runs, 100U);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.unchecked, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, CheckedRuns,
                         testing::Values(Isolation::kInProcess, Isolation::kProcess),
                         [](const auto& row) {
                           return std::string(row.param == Isolation::kProcess ? "isolated"
                                                                               : "in_process");
                         });

TEST(CheckedState, OfABackendInThisProcessIsToldAndPutBack) {
  const ThreadState state = ThreadState::Read();
  const CheckedRuntime runtime("Misbehaves", Isolation::kInProcess);
  const NetworkId id = runtime.Load({"FlushDenormals in execute", "b"});
  for (int i = 0; i < 3; ++i) runtime.Run(id);
  EXPECT_TRUE(state.IsCurrent());
  const CheckReport report = runtime.GetReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].layer, "FlushDenormals in execute");
  EXPECT_EQ(report.findings[0].backend_id, "MockMisbehaves");
  EXPECT_EQ(report.findings[0].num_runs, 3U);
  EXPECT_THAT(report.findings[0].diagnostic.why, HasSubstr("found \"flushed to zero\""));
}

TEST(CheckedState, OfAnIsolatedBackendDoesNotReachTheHost) {
  const ThreadState state = ThreadState::Read();
  const CheckedRuntime runtime("Misbehaves", Isolation::kProcess);
  const NetworkId id = runtime.Load({"ChangeState in execute", "FlushDenormals in execute"});
  runtime.Run(id);
  EXPECT_TRUE(state.IsCurrent());
  EXPECT_THAT(runtime.GetReport(id).findings, IsEmpty());
}

}  // namespace
}  // namespace backplane::test
