/// OpenCl in a runtime, on the device of this machine: between the device and the CPU, and by
/// several threads.

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "opencl_chain.hpp"
#include "support/scoped_variable.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);
BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_OpenCl);

namespace backplane::test {
namespace {

/// Why there is no device; empty when there is one.
std::string FindWhyNot() {
  BackendRegistry registry;
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_OpenCl), registry);
  const PluginObject<IBackendInternal> backend = registry.CreateBackend("OpenCl");
  const BackendOptions options;
  BackendContextArgs args;
  args.options = &options;
  const auto made = backend.Call<&IBackendInternal::CreateBackendContext>(args);
  if (!made.HasFailed()) return "";
  if (!IsOwnUnavailability(*made.failure)) throw DiagnosticException(*made.failure);
  return made.failure->why;
}

void RegisterBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_OpenCl));
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
  });
}

class OpenClChain : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string why_not = FindWhyNot();
    if (!why_not.empty()) GTEST_SKIP() << why_not;
    RegisterBackends();
    runtime_ = MakeRuntime();
    network_ = Optimize(*chain_.Make({"OpenCl", "CpuRef", "OpenCl"}), {"OpenCl"},
                        runtime_->GetDeviceSpec());
  }

  static std::unique_ptr<IRuntime> MakeRuntime() {
    const std::string empty = testing::TempDir() + "no_backends";
    std::filesystem::create_directories(empty);
    CreationOptions options;
    options.dynamic_backends_path = empty;
    options.backend_options = {{"OpenCl", {BackendOption("memory", GetParam())}}};
    return IRuntime::Create(options);
  }

  void ExpectRuns(NetworkId id) const { chain_.ExpectRuns(*runtime_, id); }

  const ActivationChain chain_{1000, 0.005F};
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
};

TEST_P(OpenClChain, GoesFromTheDeviceToTheCpuAndBack) {
  const NetworkId id = runtime_->LoadNetwork(network_);
  for (int run = 0; run < 3; ++run) ExpectRuns(id);
  const TransferReport report = runtime_->GetTransferReport(id);
  const bool is_auto = std::string(GetParam()) == "auto";
  if (is_auto && network_->GetPlacement().copied_bytes == 0) {
    EXPECT_EQ(report.inputs.at(0).copied_runs, 0U) << report.inputs[0].reason;
    EXPECT_EQ(report.outputs.at(0).copied_runs, 0U) << report.outputs[0].reason;
  }
}

TEST_P(OpenClChain, IsRunBySeveralThreadsAtOnce) {
  const NetworkId id = runtime_->LoadNetwork(network_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 10; ++run) ExpectRuns(id);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(OpenClChain, IsLoadedAgainWhenItWasUnloaded) {
  for (int round = 0; round < 3; ++round) {
    const NetworkId id = runtime_->LoadNetwork(network_);
    ExpectRuns(id);
    runtime_->UnloadNetwork(id);
  }
}

TEST_P(OpenClChain, TakesItsProgramsFromTheCacheOfTheApplication) {
  const std::string folder = testing::TempDir() + "programs_" + GetParam();
  std::filesystem::remove_all(folder);
  // Where several processes put a program into PoCL's own cache at once, none has it whole to keep.
  const ScopedVariable own_cache("POCL_CACHE_DIR", (folder + "_of_pocl").c_str());
  OptimizerOptions options;
  options.compiled_cache = MakeCompiledNetworkCache(folder);
  for (const bool is_kept : {false, true}) {
    const auto runtime = MakeRuntime();
    const auto network = Optimize(*chain_.Make({"OpenCl", "OpenCl", "OpenCl"}), {"OpenCl"},
                                  runtime->GetDeviceSpec(), options);
    const std::vector<PlacedCacheUse>& uses = network->GetPlacement().cache_uses;
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].num_hits, is_kept ? uses[0].num_hits + uses[0].num_misses : 0);
    EXPECT_EQ(uses[0].num_kept, uses[0].num_misses);
    EXPECT_GT(is_kept ? uses[0].hit_bytes : uses[0].kept_bytes, 0U);
    chain_.ExpectRuns(*runtime, runtime->LoadNetwork(network));
  }
}

INSTANTIATE_TEST_SUITE_P(OfMemory, OpenClChain, testing::Values("auto", "device", "host-visible"),
                         [](const auto& memory) {
                           const std::string name = memory.param;
                           return name == "host-visible" ? "HostVisible" : name;
                         });

}  // namespace
}  // namespace backplane::test
