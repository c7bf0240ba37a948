/// Runs with a deadline, or that are cancelled.

#include "execution/runs_fixture.hpp"

#include <atomic>

namespace backplane {
namespace {

using BoundedRuns = RunsFixture;

TEST_F(BoundedRuns, WithoutBoundsIsAsWithoutOptions) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const Outcome outcome = Run(id, {});
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_EQ(outcome.output, chain_result_);
  EXPECT_FALSE(outcome.failure);
}

TEST_F(BoundedRuns, WithTimeEnoughGiveTheResult) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const Outcome outcome = Run(id, Within(kGenerous));
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_EQ(outcome.output, chain_result_);
}

TEST_F(BoundedRuns, EndBeforeTheNextLayerAtTheDeadline) {
  const NetworkId id = Load(*MakeChain({"one", "two", "three"}), {"A"});
  std::atomic<int> num_executed{0};
  RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + kUntilItHasBegun;
  a_->execute = [&](const ExecuteArgs&) {
    ++num_executed;
    std::this_thread::sleep_until(*options.deadline);
    return Status::kSuccess;
  };
  const Outcome outcome = Run(id, options);
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_EQ(num_executed, 1);
  ASSERT_TRUE(outcome.failure);
  ExpectDiagnostic(*outcome.failure, DiagnosticCode::kRunTimedOut, "chain",
                   "found 1 of 3 layers run after", "its deadline was");
  ExpectContains(outcome.failure->what, "before layer \"two\" (Activation) on backend \"A\"");
}

TEST_F(BoundedRuns, EndBeforeTheNextLayerWhenTheyAreCancelled) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  const CancellationSource source;
  a_->execute = [&](const ExecuteArgs&) {
    source.Cancel();
    return Status::kSuccess;
  };
  const Outcome outcome = Run(id, With(source));
  EXPECT_EQ(outcome.status, Status::kCancelled);
  ExpectCode(outcome.failure, DiagnosticCode::kRunCancelled);
  ExpectContains(outcome.failure->what, "layer \"two\"");
}

TEST_F(BoundedRuns, ThatHaveRunTheirLastLayerHaveSucceeded) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const CancellationSource source;
  a_->on_execute = [&](const ExecuteArgs&) { source.Cancel(); };
  const Outcome outcome = Run(id, With(source));
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_EQ(outcome.output, chain_result_);
}

TEST_F(BoundedRuns, CanBeRunAgain) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  const CancellationSource source;
  a_->on_execute = [&](const ExecuteArgs&) { source.Cancel(); };
  EXPECT_EQ(Run(id, With(source)).status, Status::kCancelled);
  a_->on_execute = nullptr;
  EXPECT_EQ(Run(id, Within(kGenerous)).output, (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(BoundedRuns, ThatAreOverDoNotBegin) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::atomic<int> num_executed{0};
  a_->on_execute = [&](const ExecuteArgs&) { ++num_executed; };
  const CancellationSource source;
  source.Cancel();
  EXPECT_TRUE(source.IsCancelled());
  const Outcome cancelled = Run(id, With(source));
  EXPECT_EQ(cancelled.status, Status::kCancelled);
  ExpectCode(cancelled.failure, DiagnosticCode::kRunCancelled);
  const Outcome late = Run(id, Within(milliseconds(0)));
  EXPECT_EQ(late.status, Status::kTimeout);
  ExpectCode(late.failure, DiagnosticCode::kRunTimedOut);
  EXPECT_EQ(Run(id, Within(std::chrono::nanoseconds::min())).status, Status::kTimeout);
  EXPECT_EQ(num_executed, 0);
}

TEST_F(BoundedRuns, TheEarlierOfDeadlineAndTimeoutHolds) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  RunOptions options = Within(kGenerous);
  options.deadline = steady_clock::now() - milliseconds(1);
  EXPECT_EQ(Run(id, options).status, Status::kTimeout);
  options = Within(milliseconds(0));
  options.deadline = steady_clock::now() + kGenerous;
  EXPECT_EQ(Run(id, options).status, Status::kTimeout);
  options = Within(std::chrono::nanoseconds::max());
  EXPECT_EQ(Run(id, options).status, Status::kSuccess);
}

TEST_F(BoundedRuns, TellWhatABackendReturnedFromWhatEndedThem) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  a_->execute = [](const ExecuteArgs&) { return Status::kTimeout; };
  const Outcome outcome = Run(id, Within(kGenerous));
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ExpectCode(outcome.failure, DiagnosticCode::kExecutionFailed);
}

TEST_F(BoundedRuns, MissingNetworksAreToldFirst) {
  const Outcome outcome = Run(77, Within(milliseconds(0)));
  EXPECT_EQ(outcome.status, Status::kNotFound);
  ExpectCode(outcome.failure, DiagnosticCode::kUnknownNetwork);
}

TEST_F(BoundedRuns, TokensMayBeUsedAfterTheRun) {
  CancellationToken token;
  EXPECT_FALSE(token.CanBeCancelled());
  EXPECT_FALSE(token.IsCancelled());
  {
    const CancellationSource source;
    token = source.GetToken();
    const CancellationSource& copy = source;
    const NetworkId id = Load(*MakeChain({"one"}), {"A"});
    EXPECT_EQ(Run(id, With(source)).status, Status::kSuccess);
    runtime_.reset();
    copy.Cancel();
  }
  EXPECT_TRUE(token.IsCancelled());
}

TEST_F(BoundedRuns, ALayerThatHangsIsNamedWhileItDoes) {
  const LogFile log;
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::thread thread(
      [&] { EXPECT_EQ(Run(id, Within(kUntilItHasBegun)).status, Status::kTimeout); });
  gate.AwaitArrivals(1);
  EXPECT_TRUE(Await([&] { return log.Has(GetDiagnosticId(DiagnosticCode::kRunHangs)); }));
  const std::vector<RunInProgress> runs = runtime_->GetRunsInProgress();
  gate.Open();
  thread.join();
  EXPECT_TRUE(log.Has("layer \"one\" (Activation) on backend \"A\"")) << log.Read();
  EXPECT_TRUE(log.Has("after its deadline")) << log.Read();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].network, id);
  EXPECT_EQ(runs[0].network_name, "chain");
  EXPECT_EQ(runs[0].phase, RunPhase::kLayer);
  EXPECT_EQ(runs[0].backend_id, "A");
  EXPECT_EQ(runs[0].layer, "layer \"one\" (Activation)");
  EXPECT_TRUE(runs[0].since);
  EXPECT_TRUE(runs[0].deadline);
  ExpectDiagnostic(DescribeHang(runs[0]), DiagnosticCode::kRunHangs, "A", "found it there for",
                   "expected that it returns");
  EXPECT_TRUE(runtime_->GetRunsInProgress().empty());
}

TEST_F(BoundedRuns, ALayerThatIsCancelledAndHangsIsNamedToo) {
  const LogFile log;
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  Gate gate;
  HoldUp(gate);
  const CancellationSource source;
  std::thread thread([&] { EXPECT_EQ(Run(id, With(source)).status, Status::kCancelled); });
  gate.AwaitArrivals(1);
  source.Cancel();
  EXPECT_TRUE(Await([&] { return log.Has(GetDiagnosticId(DiagnosticCode::kRunHangs)); }));
  gate.Open();
  thread.join();
}

}  // namespace
}  // namespace backplane
