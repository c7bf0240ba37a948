/// Runs in a process that was forked after its runtime was made, and in its parent.

#include "loading/staged_fixture.hpp"

#include "loading/stage_memory.hpp"
#include "support/forked_child.hpp"
#include "support/sanitized.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace backplane {
namespace {

using test::ForkedChild;

constexpr int kNumForks = 100;

class ForkedRuns : public StagedRunsTest {
 protected:
  void SetUp() override {
    if (test::HasThreadSanitizer()) {
      GTEST_SKIP() << "the thread sanitizer starts no thread in a child of several threads";
    }
  }

  /// Runs of the chain "one" with bounds that are never reached.
  void ExpectRight(NetworkId id) const {
    const Outcome outcome = Run(id, Within(kGenerous));
    EXPECT_EQ(outcome.status, Status::kSuccess)
        << (outcome.failure ? ToText(*outcome.failure) : "");
    EXPECT_EQ(outcome.output, chain_result_);
  }

  void ExpectRightAsync(NetworkId id) const {
    std::vector<float> output(4, -1.0F);
    AsyncRunOptions options;
    options.run = Within(kGenerous);
    auto future = runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)},
                                                 {MakeOutput(0, output)}, options);
    ASSERT_EQ(future.wait_for(kGenerous), std::future_status::ready);
    EXPECT_EQ(future.get().status, Status::kSuccess);
    EXPECT_EQ(output, chain_result_);
  }

  /// Of 70,000 numbers those are left to which one is added twice, all others are 0.
  void ExpectRightOpen(NetworkId id, float number) {
    std::vector<float> values(70'000, 0.0F);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = number;
    const std::vector<float> result = RunWith(id, values);
    EXPECT_EQ(status_, Status::kSuccess) << (failure_ ? ToText(*failure_) : "");
    EXPECT_EQ(result, std::vector<float>(values.size() / 2, number + 2));
  }

  NetworkId LoadOpen() {
    return LoadSource(std::make_shared<ChainSource>(MakeOperation(&ChooseLarge)));
  }
};

TEST_F(ForkedRuns, OfFixedAndOpenNetworksAreRightOnBothSides) {
  const NetworkId fixed = Load(*MakeChain({"one"}), {"A"});
  const NetworkId open = LoadOpen();
  ExpectRight(fixed);
  ExpectRightOpen(open, 5);
  for (int i = 0; i < kNumForks; ++i) {
    const auto number = static_cast<float>(i + 10);
    const ForkedChild child([&] {
      ExpectRightOpen(open, number);
      ExpectRight(fixed);
      ExpectRightOpen(open, number + 1000);
    });
    ExpectRightOpen(open, number + 2000);
    ExpectRight(fixed);
  }
}

TEST_F(ForkedRuns, MayBeAsynchronousOnBothSides) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  ExpectRightAsync(id);
  for (int i = 0; i < kNumForks; ++i) {
    const ForkedChild child([&] {
      ExpectRightAsync(id);
      ExpectRightAsync(id);
      if (i % 2 == 0) {
        EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
      }
      runtime_.reset();
    });
    ExpectRightAsync(id);
  }
  EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
}

TEST_F(ForkedRuns, OfTheParentGoOnThereAlone) {
  Gate gate;
  HoldUp(gate);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::vector<float> output(4);
  std::vector<std::future<RunResult>> before;
  for (int i = 0; i < 3; ++i) {
    before.push_back(runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)},
                                                    {MakeOutput(0, output)}, AsyncRunOptions()));
  }
  gate.AwaitArrivals(1);
  for (const bool unloads : {true, false}) {
    const ForkedChild child([&] {
      a_->execute = nullptr;
      ExpectRight(id);
      ExpectRightAsync(id);
      for (const auto& one : before) {
        EXPECT_EQ(one.wait_for(milliseconds(0)), std::future_status::timeout);
      }
      if (unloads) runtime_->UnloadNetwork(id);
      EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
      runtime_.reset();
    });
  }
  gate.Open();
  for (auto& one : before) EXPECT_EQ(one.get().status, Status::kSuccess);
  EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
}

TEST_F(ForkedRuns, ThatHangAreNamedInTheChildToo) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  EXPECT_EQ(Run(id, Within(kGenerous)).status, Status::kSuccess);
  const ForkedChild child([&] {
    const LogFile log("runtime=info,*=error");
    a_->execute = [&](const ExecuteArgs&) {
      EXPECT_TRUE(Await([&] { return log.Has(GetDiagnosticId(DiagnosticCode::kRunHangs)); }));
      return Status::kSuccess;
    };
    EXPECT_EQ(Run(id, Within(milliseconds(1))).status, Status::kTimeout);
    EXPECT_TRUE(log.Has(GetDiagnosticId(DiagnosticCode::kForked))) << log.Read();
    EXPECT_TRUE(log.Has("process " + std::to_string(getpid()))) << log.Read();
  });
}

TEST_F(ForkedRuns, LeaveAChildThatExitsToItsEnd) {
  static std::atomic<pid_t> exiting{0};
  // Behind the end of the runtime, which is made later.
  std::atexit([] {
    if (exiting == getpid()) _exit(0);
  });
  static std::unique_ptr<IRuntime> runtime;
  runtime = std::move(runtime_);
  Gate gate;
  HoldUp(gate);
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, runtime->GetDeviceSpec()));
  std::vector<float> output(4);
  auto run = runtime->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output)},
                                           AsyncRunOptions());
  gate.AwaitArrivals(1);
  {
    const ForkedChild child([&] {
      exiting = getpid();
      std::exit(1);
    });
  }
  gate.Open();
  EXPECT_EQ(run.get().status, Status::kSuccess);
  runtime.reset();
}

TEST(StageMemoryOfAFork, IsNotThatOfItsParent) {
  constexpr std::size_t kSizeBytes = std::size_t{1} << 20U;
  const auto memory = std::make_shared<loading::StageMemory>();
  memory->Share();
  std::shared_ptr<void> kept = memory->Allocate(kSizeBytes);
  std::shared_ptr<void> free = memory->Allocate(kSizeBytes);
  void* const address = free.get();
  std::memset(address, 1, kSizeBytes);
  free.reset();
  {
    const ForkedChild child([&] {
      kept.reset();
      for (int i = 0; i < 3; ++i) {
        const std::shared_ptr<void> own[] = {memory->Allocate(kSizeBytes),
                                             memory->Allocate(kSizeBytes)};
        for (const auto& block : own) std::memset(block.get(), 2, kSizeBytes);
      }
    });
  }
  free = memory->Allocate(kSizeBytes);
  ASSERT_EQ(free.get(), address) << "it is used again";
  EXPECT_EQ(static_cast<const char*>(address)[kSizeBytes - 1], 1);
}

}  // namespace
}  // namespace backplane
