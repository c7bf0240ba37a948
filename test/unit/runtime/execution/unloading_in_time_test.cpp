/// Unloading and shutting down within a time, while runs go on.

#include "execution/runs_fixture.hpp"

namespace backplane {
namespace {

using UnloadingInTime = RunsFixture;

TEST_F(UnloadingInTime, AnIdleNetworkIsUnloaded) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() - milliseconds(1)), Status::kSuccess);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kNotFound);
  ExpectCode(failure, DiagnosticCode::kUnknownNetwork);
}

TEST_F(UnloadingInTime, ARunThatHangsIsNamedAndTheNetworkStays) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::thread thread([&] { RunChain(id); });
  gate.AwaitArrivals(1);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kTimeout);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kNetworkInUse, "chain", "found 1 after waiting for",
                   "expected none");
  ASSERT_EQ(failure->causes.size(), 1U);
  ExpectContains(failure->causes[0].what, "is in layer \"one\" (Activation) on backend \"A\"");
  EXPECT_EQ(a_->CountEvents("before unload 1"), 0) << "it is loaded as before";
  gate.Open();
  thread.join();
  a_->execute = nullptr;
  EXPECT_EQ(RunChain(id), chain_result_);
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous), Status::kSuccess);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
}

TEST_F(UnloadingInTime, WaitsForARunThatEnds) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::thread thread([&] { RunChain(id); });
  gate.AwaitArrivals(1);
  auto unloaded = std::async(std::launch::async, [&] {
    return runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous);
  });
  gate.Open();
  EXPECT_EQ(unloaded.get(), Status::kSuccess);
  thread.join();
}

TEST_F(UnloadingInTime, RunsThatEndAtTheDeadlineOfTheUnloadingLoseNothing) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::atomic<bool> is_ending{false};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      std::vector<float> output(4);
      while (!is_ending) {
        static_cast<void>(
            runtime_->EnqueueWorkload(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}));
      }
    });
  }
  // It is gone after one of the calls, and no call loses it.
  Status status = Status::kTimeout;
  while (status == Status::kTimeout) {
    status = runtime_->UnloadNetwork(id, steady_clock::now());
  }
  EXPECT_EQ(status, Status::kSuccess);
  is_ending = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(a_->CountEvents("create workload"), a_->CountEvents("~workload"));
}

using ShuttingDown = RunsFixture;

TEST_F(ShuttingDown, UnloadsAllAndLoadsNothingMore) {
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  const NetworkId id = runtime_->LoadNetwork(network);
  EXPECT_EQ(runtime_->Shutdown(steady_clock::now() + kGenerous), Status::kSuccess);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(Run(id, {}).status, Status::kNotFound);
  ExpectDiagnostic(CatchDiagnostic([&] { runtime_->LoadNetwork(network); }),
                   DiagnosticCode::kRuntimeShutDown, "chain", "found that Shutdown was called",
                   "expected that loading comes before");
  EXPECT_EQ(runtime_->Shutdown(steady_clock::now()), Status::kSuccess) << "does nothing";
}

TEST_F(ShuttingDown, NamesARunThatHangsAndKeepsWhatItUses) {
  const NetworkId hanging = Load(*MakeChain({"one"}), {"A"});
  Load(*MakeChain({"two"}), {"B"});
  Gate gate;
  HoldUp(gate);
  constexpr milliseconds kUntilItBegins(200);  // also on a busy machine
  std::thread thread([&, runtime = runtime_.get()] {
    std::vector<float> output(4);
    EXPECT_EQ(runtime->EnqueueWorkload(hanging, {MakeInput(0, input_)}, {MakeOutput(0, output)},
                                       Within(kUntilItBegins)),
              Status::kSuccess)
        << "its last layer returned";
  });
  gate.AwaitArrivals(1);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &failure), Status::kTimeout);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kRuntimeInUse, "", "found 1 runs and 0 handlers",
                   "expected none");
  ASSERT_EQ(failure->causes.size(), 1U);
  ExpectContains(failure->causes[0].what, "on backend \"A\"");
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1) << "the others go";
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("~workload"), 0);
  std::this_thread::sleep_for(kUntilItBegins);
  gate.Open();
  thread.join();
}

TEST_F(ShuttingDown, TheDestructionWaitsAsLongAsTheOptionsSay) {
  const LogFile log;
  CreationOptions options;
  options.shutdown_timeout = milliseconds(20);
  runtime_ = MakeRuntime({a_, b_}, options);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::thread thread([&, runtime = runtime_.get()] {
    std::vector<float> output(4);
    EXPECT_EQ(runtime->EnqueueWorkload(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}),
              Status::kSuccess);
  });
  gate.AwaitArrivals(1);
  runtime_.reset();
  EXPECT_TRUE(log.Has(GetDiagnosticId(DiagnosticCode::kRuntimeInUse))) << log.Read();
  gate.Open();
  thread.join();
}

}  // namespace
}  // namespace backplane
