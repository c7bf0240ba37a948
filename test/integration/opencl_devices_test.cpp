/// Two devices in one runtime, each with a backend of its own, and what the host waits for. PoCL
/// shows the CPU twice when it is told to.

#include <backplane/runtime/i_runtime.hpp>

#include "opencl_chain.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
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
  }

  NetworkId Load(const std::vector<std::string>& backends) {
    OptimizerOptions options;
    options.policy = PreferencePolicy::kStrict;
    network_ = Optimize(*chain_.Make(backends), {"OpenCl", "OpenClOther", "CpuRef"},
                        runtime_->GetDeviceSpec(), options);
    return runtime_->LoadNetwork(network_);
  }

  void ExpectRuns(NetworkId id) const { chain_.ExpectRuns(*runtime_, id); }

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
  const ActivationChain chain_{4096, 0.001F};
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
