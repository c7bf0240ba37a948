/// One runtime and its networks, used by many threads at once.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

namespace backplane::test {
namespace {

/// Runs relu(a + b) on a loaded network with data of its own. What the run gave is right, or the
/// network was not there.
enum class Outcome { kRight, kUnloaded, kWrong };

Outcome RunOnce(IRuntime& runtime, NetworkId id, float value) {
  const TensorInfo info({2}, DataType::kFloat32);
  const std::vector<float> a{value, -value};
  const std::vector<float> b{2 * value, 1};
  std::vector<float> result(2, -1);
  const Status status = runtime.EnqueueWorkload(id, {{0, {info, a.data()}}, {1, {info, b.data()}}},
                                                {{0, result.data(), 8}});
  if (status == Status::kNotFound) return Outcome::kUnloaded;
  const std::vector<float> expected{3 * value, 0};
  return status == Status::kSuccess && result == expected ? Outcome::kRight : Outcome::kWrong;
}

class ManyThreads : public ::testing::Test {
 protected:
  std::shared_ptr<const IOptimizedNetwork> OptimizeSum() const {
    return Optimize(*MakeSumAndRelu(), {"MockRunsActivation", "MockRunsBinary"},
                    runtime_->GetDeviceSpec());
  }
  NetworkId Load() const { return runtime_->LoadNetwork(OptimizeSum()); }

  /// Makes a thread that counts wrong outcomes; all begin together.
  void Start(std::function<Outcome(int round)> run) {
    const int base = static_cast<int>(threads_.size()) * 1000;
    threads_.emplace_back([this, base, run = std::move(run)] {
      while (!may_begin_) std::this_thread::yield();
      for (int round = 1; round <= 200; ++round) {
        if (run(base + round) == Outcome::kWrong) ++num_wrong_;
      }
    });
  }
  void ExpectAllRight() {
    may_begin_ = true;
    for (std::thread& thread : threads_) thread.join();
    EXPECT_EQ(num_wrong_, 0);
  }

  std::unique_ptr<IRuntime> runtime_ = CreateRuntime(GetMockRow("RunsActivation").folder);
  std::vector<std::thread> threads_;
  std::atomic<bool> may_begin_{false};
  std::atomic<int> num_wrong_{0};
};

TEST_F(ManyThreads, RunOneNetwork) {
  const NetworkId id = Load();
  for (int thread = 0; thread < 8; ++thread) {
    Start([&, id](int round) { return RunOnce(*runtime_, id, static_cast<float>(round)); });
  }
  ExpectAllRight();
}

TEST_F(ManyThreads, RunSeveralNetworksInTurn) {
  const NetworkId ids[] = {Load(), Load(), Load()};
  for (int thread = 0; thread < 6; ++thread) {
    Start([&](int round) { return RunOnce(*runtime_, ids[round % 3], static_cast<float>(round)); });
  }
  ExpectAllRight();
}

TEST_F(ManyThreads, OptimiseLoadRunAndUnloadAtOnce) {
  const NetworkId shared = Load();
  const auto optimized = OptimizeSum();
  for (int thread = 0; thread < 2; ++thread) {
    Start([&](int round) { return RunOnce(*runtime_, shared, static_cast<float>(round)); });
    Start([&](int round) {
      const NetworkId id = Load();
      const Outcome outcome = RunOnce(*runtime_, id, static_cast<float>(round));
      runtime_->UnloadNetwork(id);
      return outcome;
    });
    Start([&](int round) {
      const NetworkId id = runtime_->LoadNetwork(optimized);
      runtime_->UnloadNetwork(id);
      return RunOnce(*runtime_, id, static_cast<float>(round)) == Outcome::kUnloaded
                 ? Outcome::kRight
                 : Outcome::kWrong;
    });
    Start([&](int /*round*/) {
      runtime_->GetMemoryReport(shared);
      const DeviceSpec device = runtime_->GetDeviceSpec();
      const auto backend = device.GetRegistry().CreateBackend("MockRunsBinary");
      return backend && runtime_->GetLoadReport().candidates.size() == 2 ? Outcome::kRight
                                                                         : Outcome::kWrong;
    });
  }
  ExpectAllRight();
}

TEST_F(ManyThreads, RunNetworksThatOthersUnload) {
  std::atomic<NetworkId> current{Load()};
  std::atomic<int> num_runs{0};
  for (int thread = 0; thread < 4; ++thread) {
    Start([&](int round) {
      const Outcome outcome = RunOnce(*runtime_, current, static_cast<float>(round));
      if (outcome == Outcome::kRight) ++num_runs;
      return outcome;
    });
  }
  Start([&](int /*round*/) {
    const NetworkId next = Load();
    runtime_->UnloadNetwork(current.exchange(next));
    return Outcome::kRight;
  });
  ExpectAllRight();
  EXPECT_EQ(RunOnce(*runtime_, current, 7), Outcome::kRight);
}

TEST_F(ManyThreads, OptimiseOneNetworkObject) {
  const auto network = MakeSumAndRelu();
  for (int thread = 0; thread < 4; ++thread) {
    Start([&](int round) {
      const NetworkId id = runtime_->LoadNetwork(
          Optimize(*network, {"MockRunsActivation", "MockRunsBinary"}, runtime_->GetDeviceSpec()));
      const Outcome outcome = RunOnce(*runtime_, id, static_cast<float>(round));
      runtime_->UnloadNetwork(id);
      return outcome;
    });
  }
  ExpectAllRight();
}

}  // namespace
}  // namespace backplane::test
