/// Several runtimes in one process have nothing in common but the libraries.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;

const std::vector<float> kSums{4, 0};

std::vector<float> RunSum(IRuntime& runtime, const std::string& backend = "MockRuns") {
  return RunSumAndRelu(runtime, {backend}, {1, -4}, {3, 1});
}

void InThreads(int num_threads, const std::function<void(int)>& run) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < num_threads; ++thread) threads.emplace_back(run, thread);
  for (std::thread& thread : threads) thread.join();
}

/// A directory with one running backend.
class SeveralRuntimes : public ::testing::Test {
 protected:
  void SetUp() override { directory_.Add("Runs"); }

  MockDirectory directory_;
};

TEST_F(SeveralRuntimes, OfOneDirectoryComeAndGoInSeveralThreads) {
  std::atomic<int> num_right{0};
  InThreads(4, [&](int /*thread*/) {
    for (int round = 0; round < 10; ++round) {
      const auto runtime = CreateRuntime(directory_.GetPath());
      if (RunSum(*runtime) == kSums) ++num_right;
    }
  });
  EXPECT_EQ(num_right, 40);
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(SeveralRuntimes, OneRunsOnWhileOthersComeAndGo) {
  const auto steady = CreateRuntime(directory_.GetPath());
  const auto network = Optimize(*MakeSumAndRelu(), {"MockRuns"}, steady->GetDeviceSpec());
  const NetworkId id = steady->LoadNetwork(network);
  std::atomic<bool> is_over{false};
  std::thread others([&] {
    for (int round = 0; round < 20; ++round) RunSum(*CreateRuntime(directory_.GetPath()));
    is_over = true;
  });
  const TensorInfo info({2}, DataType::kFloat32);
  const std::vector<float> a{1, -4};
  const std::vector<float> b{3, 1};
  int num_wrong = 0;
  do {
    std::vector<float> result(2);
    const Status status = steady->EnqueueWorkload(
        id, {{0, {info, a.data()}}, {1, {info, b.data()}}}, {{0, result.data(), 8}});
    if (status != Status::kSuccess || result != kSums) ++num_wrong;
  } while (!is_over);
  others.join();
  EXPECT_EQ(num_wrong, 0);
  EXPECT_EQ(RunSum(*steady), kSums) << "it optimises and loads, too";
}

TEST_F(SeveralRuntimes, TheOneThatIsLeftOptimisesLoadsAndRuns) {
  auto first = CreateRuntime(directory_.GetPath());
  auto second = CreateRuntime(directory_.GetPath());
  EXPECT_THAT(second->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockRuns"));
  EXPECT_EQ(CountCandidates(second->GetLoadReport(), CandidateStatus::kLoaded), 1U)
      << "it is not taken for taken";
  first.reset();
  EXPECT_THAT(second->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockRuns"));
  EXPECT_EQ(RunSum(*second), kSums);
  second.reset();
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(SeveralRuntimes, OfOtherDirectoriesHaveOtherBackends) {
  const MockDirectory other;
  other.Add("RunsActivation");
  other.Add("RunsBinary");
  auto first = CreateRuntime(directory_.GetPath());
  auto second = CreateRuntime(other.GetPath());
  EXPECT_FALSE(first->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockRunsBinary"));
  EXPECT_FALSE(second->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockRuns"));
  first.reset();
  EXPECT_FALSE(IsMapped(directory_.GetPath())) << "the last that needs it closes it";
  EXPECT_EQ(RunSumAndRelu(*second, {"MockRunsActivation", "MockRunsBinary"}, {1, -4}, {3, 1}),
            kSums);
}

TEST_F(SeveralRuntimes, MayEachHaveABackendOfTheSameId) {
  const MockDirectory other;
  other.Add("Runs");
  auto first = CreateRuntime(directory_.GetPath());
  auto second = CreateRuntime(other.GetPath());
  EXPECT_TRUE(IsMapped(directory_.GetPath()));
  EXPECT_TRUE(IsMapped(other.GetPath()));
  EXPECT_EQ(RunSum(*first), kSums);
  first.reset();
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
  EXPECT_EQ(RunSum(*second), kSums);
}

TEST_F(SeveralRuntimes, NumberTheirNetworksByThemselves) {
  const auto first = CreateRuntime(directory_.GetPath());
  const auto second = CreateRuntime(directory_.GetPath());
  const auto load = [](IRuntime& runtime) {
    return runtime.LoadNetwork(Optimize(*MakeSumAndRelu(), {"MockRuns"}, runtime.GetDeviceSpec()));
  };
  const NetworkId of_first = load(*first);
  const NetworkId of_second = load(*second);
  EXPECT_EQ(of_first, of_second);
  first->UnloadNetwork(of_first);
  EXPECT_THROW(first->UnloadNetwork(of_first), DiagnosticException);
  EXPECT_NO_THROW(second->UnloadNetwork(of_second)) << "the same number, another network";
}

TEST_F(SeveralRuntimes, DisableBackendsForThemselvesOnly) {
  directory_.Add("RunsBinary");
  CreationOptions options;
  options.dynamic_backends_path = directory_.GetPath();
  options.disabled_backends = {"MockRuns"};
  const auto without = IRuntime::Create(options);
  const auto with = CreateRuntime(directory_.GetPath());
  EXPECT_FALSE(without->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockRuns"));
  EXPECT_EQ(RunSum(*with), kSums);
}

TEST_F(SeveralRuntimes, OneThatCannotBeCreatedLeavesTheOthersAlone) {
  const auto good = CreateRuntime(directory_.GetPath());
  const MockDirectory bad;
  bad.Add("ContextThrows");
  bad.Add("NullFactory");
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(CreateRuntime(bad.GetPath()), DiagnosticException);
    EXPECT_FALSE(IsMapped(bad.GetPath()));
  }
  EXPECT_EQ(RunSum(*good), kSums);
}

TEST_F(SeveralRuntimes, AreCreatedWhereABackendFailsAndTheNextOneIsToo) {
  directory_.Add("ContextThrows");
  directory_.Add("ContextUnavailable");
  for (int round = 0; round < 3; ++round) {
    const auto runtime = CreateRuntime(directory_.GetPath());
    EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockRuns"));
    EXPECT_EQ(RunSum(*runtime), kSums);
  }
}

TEST_F(SeveralRuntimes, AreDestroyedByOtherThreadsThanTheirMakers) {
  std::vector<std::unique_ptr<IRuntime>> runtimes(4);
  InThreads(4, [&](int thread) { runtimes[thread] = CreateRuntime(directory_.GetPath()); });
  InThreads(4, [&](int thread) { EXPECT_EQ(RunSum(*runtimes[(thread + 1) % 4]), kSums); });
  InThreads(4, [&](int thread) { runtimes[3 - thread].reset(); });
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(SeveralRuntimes, OpenAtFirstUseEachForItself) {
  directory_.Add("LateRuns");
  std::atomic<int> num_right{0};
  InThreads(4, [&](int /*thread*/) {
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.opening = Opening::kLazy;
    for (int round = 0; round < 5; ++round) {
      if (RunSum(*IRuntime::Create(options), "MockLateRuns") == kSums) ++num_right;
    }
  });
  EXPECT_EQ(num_right, 20);
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

}  // namespace
}  // namespace backplane::test
