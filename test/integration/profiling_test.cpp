/// A backend with a device of its own, measured: what it reports lies where the core says that its
/// layers ran.

#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "json_schema.hpp"
#include "measured_backend.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace backplane::test {
namespace {

class Profiling : public testing::Test {
 protected:
  static void SetUpTestSuite() { RegisterStaticBackend(GetMeasuredBackend()); }
  static void TearDownTestSuite() {
    BackendRegistry::GetProcessRegistry().Deregister(kMeasuredBackend);
  }

  Profiling() {
    options_.disabled_backends = {"*_backend.so*"};
    options_.profiling.state = ProfilingState::kOn;
    options_.profiling.named_counters = {{kMeasuredBackend, {"jobs"}}};
  }

  void Start() {
    runtime_ = IRuntime::Create(options_);
    auto network = INetwork::Create("chain");
    OutputSlot tensor = network->AddInputLayer({{4}, DataType::kFloat32}, "x");
    for (const char* name : {"a", "b", "c"}) {
      tensor = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {tensor}, name),
                0};
    }
    network->AddOutputLayer(tensor, "y");
    network_ =
        runtime_->LoadNetwork(Optimize(*network, {kMeasuredBackend}, runtime_->GetDeviceSpec()));
  }

  void Run(int times) const {
    const std::vector<float> input{1, 2, 3, 4};
    for (int i = 0; i < times; ++i) {
      std::vector<float> output(4);
      ASSERT_EQ(
          runtime_->EnqueueWorkload(network_, {{0, {{{4}, DataType::kFloat32}, input.data()}}},
                                    {{0, output.data(), 16}}),
          Status::kSuccess);
      EXPECT_EQ(output, input);
    }
  }

  static std::vector<ProfileEvent> Select(const Profile& profile, ProfileEventKind kind) {
    std::vector<ProfileEvent> selected;
    std::copy_if(profile.events.begin(), profile.events.end(), std::back_inserter(selected),
                 [&](const ProfileEvent& event) { return event.kind == kind; });
    return selected;
  }

  CreationOptions options_;
  std::unique_ptr<IRuntime> runtime_;
  NetworkId network_ = 0;
};

TEST_F(Profiling, TellsOfTheDeviceWhatTheCoreTellsOfItsLayers) {
  Start();
  Run(5);
  const Profile profile = runtime_->GetProfile();
  EXPECT_TRUE(profile.diagnostics.empty());
  const auto layers = Select(profile, ProfileEventKind::kLayer);
  const auto jobs = Select(profile, ProfileEventKind::kBackend);
  ASSERT_EQ(layers.size(), 15U);
  ASSERT_EQ(jobs.size(), 15U);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].name, "job of " + layers[i].name);
    EXPECT_EQ(jobs[i].backend_id, kMeasuredBackend);
    EXPECT_EQ(profile.lanes[jobs[i].lane].name, "device queue");
    EXPECT_GE(jobs[i].begin_ns, layers[i].begin_ns);
    EXPECT_LE(jobs[i].end_ns, layers[i].end_ns);
  }
  ASSERT_EQ(profile.counters.size(), 1U);
  EXPECT_EQ(profile.counters[0].name, "jobs");
  ASSERT_EQ(profile.counters[0].values.size(), 15U);
  EXPECT_EQ(profile.counters[0].values.back().value, 15.0);
}

TEST_F(Profiling, WritesATraceOfThePublishedForm) {
  Start();
  Run(2);
  const std::string text = ToChromeTrace(runtime_->GetProfile());
  EXPECT_GT(nlohmann::json::parse(text).at("traceEvents").size(), 12U);
  const SchemaVerdict verdict = CheckAgainstSchema("trace", text);
  EXPECT_EQ(verdict.breaches, "");
  if (!verdict.is_checked) GTEST_SKIP() << "python3-jsonschema is not installed";
}

TEST_F(Profiling, ReportsNothingWhenItIsOff) {
  options_.profiling.state = ProfilingState::kOff;
  Start();
  Run(2);
  const Profile profile = runtime_->GetProfile();
  EXPECT_TRUE(profile.events.empty());
  EXPECT_TRUE(profile.counters.empty());
}

TEST_F(Profiling, KeepsRuntimesApart) {
  Start();
  Run(1);
  options_.profiling.state = ProfilingState::kOff;
  const auto first = std::move(runtime_);
  Start();
  Run(3);
  EXPECT_EQ(Select(first->GetProfile(), ProfileEventKind::kBackend).size(), 3U);
}

TEST_F(Profiling, MeasuresRunsOfSeveralThreads) {
  Start();
  std::thread other([this] { Run(20); });
  Run(20);
  other.join();
  const Profile profile = runtime_->GetProfile();
  EXPECT_EQ(Select(profile, ProfileEventKind::kBackend).size(), 120U);
  for (const LayerProfile& layer : profile.layers) EXPECT_EQ(layer.num_runs, 40U);
}

}  // namespace
}  // namespace backplane::test
