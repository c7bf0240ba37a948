/// Two devices in one runtime, each with a backend of its own, and what the host waits for. PoCL
/// shows the CPU twice when it is told to.

#include <backplane/runtime/i_runtime.hpp>

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;

/// Before the library of any test is opened.
class ShowTheCpuTwice : public ::testing::Environment {
 public:
  void SetUp() override { setenv("POCL_DEVICES", "pthread pthread", 0); }
};

const ::testing::Environment* const kShowTheCpuTwice =
    ::testing::AddGlobalTestEnvironment(new ShowTheCpuTwice);

constexpr std::int64_t kChainLength = 4096;

/// ReLU, tanh and sigmoid, one after the other, on the backends with these ids.
std::unique_ptr<INetwork> MakeChainOf(const std::vector<std::string>& backends) {
  auto network = INetwork::Create("chain");
  const TensorInfo info({kChainLength}, DataType::kFloat32);
  OutputSlot tensor = network->AddInputLayer(info, "x");
  const ActivationFunction functions[] = {ActivationFunction::kRelu, ActivationFunction::kTanH,
                                          ActivationFunction::kSigmoid};
  const char* const names[] = {"first", "second", "third"};
  for (std::size_t i = 0; i < backends.size(); ++i) {
    ActivationDescriptor descriptor;
    descriptor.function = functions[i];
    const LayerId layer =
        AddLayer<LayerType::kActivation>(*network, descriptor, {tensor}, names[i]);
    network->SetBackendHint(layer, backends[i]);
    tensor = {layer, 0};
  }
  network->AddOutputLayer(tensor, "y");
  return network;
}

class OpenClDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_.Link("Backplane_OpenCl_backend.so", OPENCL_BACKEND);
    directory_.Link("Backplane_OpenClOther_backend.so", OPENCL_OTHER_BACKEND);
    directory_.Link("Backplane_CpuRef_backend.so", CPUREF_BACKEND);
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    const BackendOption by_layer("fuse", false);
    options.backend_options = {{"OpenCl", {BackendOption("device", "0"), by_layer}},
                               {"OpenClOther", {BackendOption("device", "1"), by_layer}}};
    options.profiling.state = ProfilingState::kOn;
    runtime_ = IRuntime::Create(options);
    const auto& registry = runtime_->GetDeviceSpec().GetRegistry();
    for (const char* id : {"OpenCl", "OpenClOther"}) {
      if (!registry.IsBackendRegistered(id)) GTEST_SKIP() << "there are no two devices: no " << id;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<float>(i) / 1000.0F - 2.0F;
  }

  NetworkId Load(const std::vector<std::string>& backends) {
    OptimizerOptions options;
    options.policy = PreferencePolicy::kStrict;
    network_ = Optimize(*MakeChainOf(backends), {"OpenCl", "OpenClOther", "CpuRef"},
                        runtime_->GetDeviceSpec(), options);
    return runtime_->LoadNetwork(network_);
  }

  void ExpectRuns(NetworkId id) const {
    std::vector<float> y(x_.size());
    std::optional<Diagnostic> failure;
    const Status status =
        runtime_->EnqueueWorkload(id, {{0, {{{kChainLength}, DataType::kFloat32}, x_.data()}}},
                                  {{0, y.data(), y.size() * sizeof(float)}}, &failure);
    ASSERT_EQ(status, Status::kSuccess) << (failure ? ToText(*failure) : "");
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float middle = std::tanh(std::max(x_[i], 0.0F));
      ASSERT_NEAR(y[i], 1.0F / (1.0F + std::exp(-middle)), 1e-5F) << i;
    }
  }

  /// "wait for first, in second": what the host waited for, and within which layer's time.
  std::vector<std::string> GetWaits() const {
    const Profile profile = runtime_->GetProfile();
    std::vector<std::string> waits;
    for (const ProfileEvent& wait : profile.events) {
      if (wait.kind != ProfileEventKind::kWait) continue;
      const auto waiter = std::find_if(
          profile.events.begin(), profile.events.end(), [&wait](const ProfileEvent& event) {
            return event.kind == ProfileEventKind::kLayer && event.begin_ns <= wait.begin_ns &&
                   wait.end_ns <= event.end_ns;
          });
      waits.push_back(wait.name + ", " +
                      (waiter == profile.events.end() ? "at the end" : "in " + waiter->name));
    }
    return waits;
  }

  const TemporaryDirectory directory_;
  std::vector<float> x_ = std::vector<float>(kChainLength);
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
};

TEST_F(OpenClDevices, HandOverByEventsWithoutTheHost) {
  const NetworkId id = Load({"OpenCl", "OpenClOther", "OpenCl"});
  ExpectRuns(id);
  EXPECT_THAT(GetWaits(), ElementsAre("wait for third, at the end"));
  EXPECT_EQ(network_->GetPlacement().copied_bytes, 0U);
}

TEST_F(OpenClDevices, AreWaitedForOnlyWhereTheCpuReads) {
  ExpectRuns(Load({"OpenCl", "CpuRef", "OpenCl"}));
  EXPECT_THAT(GetWaits(), ElementsAre("wait for first, in second", "wait for third, at the end"));
}

TEST_F(OpenClDevices, HandOverInManyRunsOfSeveralThreads) {
  const NetworkId id = Load({"OpenClOther", "OpenCl", "OpenClOther"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 25; ++run) ExpectRuns(id);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace backplane::test
