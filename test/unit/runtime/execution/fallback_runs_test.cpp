/// Networks that are placed again without a backend that failed while they ran.

#include "execution/runs_fixture.hpp"

#include <backplane/api/subgraph_parts.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace backplane {
namespace {

[[noreturn]] Status Boom(const ExecuteArgs&) {
  throw std::runtime_error("boom");
}

float GetFirst(const ExecuteArgs& args) {
  return args.GetInput(0).Get<float>()[0];
}

/// Among the causes of a failure, at any depth.
const Diagnostic* FindCause(const Diagnostic& diagnostic, DiagnosticCode code) {
  for (const Diagnostic& cause : diagnostic.causes) {
    if (cause.code == code) return &cause;
    if (const Diagnostic* deeper = FindCause(cause, code)) return deeper;
  }
  return nullptr;
}

/// A network on A that B takes over.
class FallbackRuns : public RunsFixture {
 protected:
  FallbackRuns() { options_.on_failure = FailurePolicy::kPlaceElsewhere; }

  NetworkId LoadForBoth(const std::vector<std::string>& layers = {"one"},
                        const std::vector<std::string>& preferences = {"A", "B"}) const {
    return runtime_->LoadNetwork(
        Optimize(*MakeChain(layers), preferences, runtime_->GetDeviceSpec(), options_));
  }

  Outcome RunOnce(NetworkId id) const { return Run(id, RunOptions()); }

  void ExpectElsewhere(NetworkId id, std::uint64_t num_repeated_runs) const {
    const FallbackReport report = runtime_->GetFallbackReport(id);
    EXPECT_EQ(report.failed_backend, "A");
    EXPECT_EQ(report.num_repeated_runs, num_repeated_runs);
    ASSERT_TRUE(report.outcome);
    EXPECT_EQ(report.outcome->severity, Severity::kWarning);
    ExpectDiagnostic(*report.outcome, DiagnosticCode::kPlacedElsewhere, "chain", "found that",
                     "B now");
    for (const LayerPlacement& layer : report.placement.layers) EXPECT_EQ(layer.backend_id, "B");
  }

  void ExpectUntouched(NetworkId id) const {
    const FallbackReport report = runtime_->GetFallbackReport(id);
    EXPECT_EQ(report.failed_backend, "");
    EXPECT_FALSE(report.outcome);
    EXPECT_EQ(report.num_repeated_runs, 0U);
    ASSERT_EQ(report.placement.layers.size(), 1U);
    EXPECT_EQ(report.placement.layers[0].backend_id, "A");
  }

  bool IsLoaded(NetworkId id) const {
    try {
      runtime_->GetFallbackReport(id);
      return true;
    } catch (const DiagnosticException&) {
      return false;
    }
  }

  /// B waits at the gate when it is given the layers.
  void HoldUpPlacing(Gate& gate) const {
    b_->on_create_workload = [&gate](const WorkloadArgs&) { gate.Pass(); };
  }

  OptimizerOptions options_;
};

TEST_F(FallbackRuns, AreRepeatedElsewhereAndToldOnce) {
  const LogFile log;
  const NetworkId id = LoadForBoth({"one", "two"});
  a_->execute = Boom;
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
  ExpectElsewhere(id, 1);
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
  ExpectElsewhere(id, 1);
  const Diagnostic told = *runtime_->GetFallbackReport(id).outcome;
  ExpectContains(told.what, "without backend \"A\", which failed while it ran");
  ExpectContains(told.why, "its 2 layers run on B now");
  const Diagnostic* cause = FindCause(told, DiagnosticCode::kBackendThrew);
  ASSERT_NE(cause, nullptr) << ToText(told);
  ExpectContains(cause->why, "boom");
  const std::string text = log.Read();
  const auto first = text.find("BP7055");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("BP7055", first + 1), std::string::npos) << text;
}

TEST_F(FallbackRuns, TellNoFailureWhenTheyWereRepeated) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  const Outcome outcome = RunOnce(id);
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.output, chain_result_);
}

TEST_F(FallbackRuns, MayBeAsynchronous) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  std::vector<float> output(4, -1);
  const RunResult result =
      runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}).get();
  EXPECT_EQ(result.status, Status::kSuccess);
  EXPECT_EQ(output, chain_result_);
  ExpectElsewhere(id, 1);
}

TEST_F(FallbackRuns, AreNotRepeatedUnlessThatIsAskedFor) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A", "B"});
  a_->execute = Boom;
  const Outcome outcome = RunOnce(id);
  EXPECT_EQ(outcome.status, Status::kFailure);
  ExpectCode(outcome.failure, DiagnosticCode::kBackendThrew);
  ExpectUntouched(id);
}

/// What A does in Execute that is a failure of A.
struct FallbackFailure {
  const char* name;
  std::function<Status(const ExecuteArgs&)> execute;
};

void PrintTo(const FallbackFailure& failure, std::ostream* stream) {
  *stream << failure.name;
}

class FallbackFailures : public FallbackRuns,
                         public testing::WithParamInterface<FallbackFailure> {};

TEST_P(FallbackFailures, AreThoseOfTheBackend) {
  a_->capabilities.emplace_back(kCapabilityFences, kAllFenceKinds);
  runtime_ = MakeRuntime({a_, b_});
  const NetworkId id = LoadForBoth();
  a_->execute = GetParam().execute;
  const Outcome outcome = RunOnce(id);
  EXPECT_EQ(outcome.status, Status::kSuccess) << (outcome.failure ? ToText(*outcome.failure) : "");
  EXPECT_EQ(outcome.output, chain_result_);
  ExpectElsewhere(id, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FallbackFailures,
    testing::Values(FallbackFailure{"Exception", Boom},
                    FallbackFailure{"NoException", [](const ExecuteArgs&) -> Status { throw 42; }},
                    FallbackFailure{"Status", [](const ExecuteArgs&) { return Status::kFailure; }},
                    FallbackFailure{"ItsMemory",
                                    [](const ExecuteArgs&) { return Status::kOutOfMemory; }},
                    FallbackFailure{"Fence",
                                    [](const ExecuteArgs& args) {
                                      if (args.GetCompletion() != nullptr) {
                                        *args.GetCompletion() = {FenceKind::kEventFd, -1, 0, 0, {}};
                                      }
                                      return Status::kSuccess;
                                    }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(FallbackRuns, ThatNobodyElseTakesFailAsTheyWouldAndSayWhy) {
  b_->supports = [](const LayerSupportQuery&, std::string& reason) {
    reason = "B is not in the mood";
    return false;
  };
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  for (int run = 0; run < 2; ++run) {
    const Outcome outcome = RunOnce(id);
    EXPECT_EQ(outcome.status, Status::kFailure);
    ExpectCode(outcome.failure, DiagnosticCode::kBackendThrew);
    ExpectContains(outcome.failure->what, "failed on backend \"A\"");
    const Diagnostic* why = FindCause(*outcome.failure, DiagnosticCode::kNotPlacedElsewhere);
    ASSERT_NE(why, nullptr) << ToText(*outcome.failure);
    ExpectContains(ToText(*why), "B is not in the mood");
    ExpectContains(ToText(*why), "it failed while the network ran");
  }
  const FallbackReport report = runtime_->GetFallbackReport(id);
  EXPECT_EQ(report.failed_backend, "A");
  EXPECT_EQ(report.num_repeated_runs, 0U);
  EXPECT_EQ(report.placement.layers[0].backend_id, "A");
  ASSERT_TRUE(report.outcome);
  EXPECT_EQ(report.outcome->code, DiagnosticCode::kNotPlacedElsewhere);
  EXPECT_NE(FindCause(*report.outcome, DiagnosticCode::kBackendThrew), nullptr);
  EXPECT_EQ(b_->CountEvents("asked one"), 1) << "it is tried once";
  a_->execute = nullptr;
  EXPECT_EQ(RunChain(id), chain_result_) << "A is well again";
}

TEST_F(FallbackRuns, OfLayersThatAreToRunOnTheBackendFailAsTheyWould) {
  auto network = MakeChain({"one"});
  network->SetBackendHint(1, "A");
  options_.hints = HintPolicy::kStrict;
  const NetworkId id =
      runtime_->LoadNetwork(Optimize(*network, {"A", "B"}, runtime_->GetDeviceSpec(), options_));
  a_->execute = Boom;
  const Outcome outcome = RunOnce(id);
  EXPECT_EQ(outcome.status, Status::kFailure);
  ASSERT_TRUE(outcome.failure);
  EXPECT_NE(FindCause(*outcome.failure, DiagnosticCode::kNotPlacedElsewhere), nullptr);
}

TEST_F(FallbackRuns, OfASecondBackendThatFailsFailWithBothCauses) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  b_->execute = [](const ExecuteArgs&) { return Status::kBusy; };
  const Outcome first = RunOnce(id);
  EXPECT_EQ(first.status, Status::kBusy);
  ASSERT_TRUE(first.failure);
  ExpectContains(first.failure->what, "failed on backend \"B\"");
  const Diagnostic* why = FindCause(*first.failure, DiagnosticCode::kNotPlacedElsewhere);
  ASSERT_NE(why, nullptr) << ToText(*first.failure);
  ExpectContains(why->why, "backend \"A\" failed");
  EXPECT_NE(FindCause(*first.failure, DiagnosticCode::kBackendThrew), nullptr) << "that of A";
  const Outcome second = RunOnce(id);
  EXPECT_EQ(second.status, Status::kBusy);
  ASSERT_TRUE(second.failure);
  EXPECT_NE(FindCause(*second.failure, DiagnosticCode::kNotPlacedElsewhere), nullptr);
  ExpectElsewhere(id, 1);
  b_->execute = nullptr;
  EXPECT_EQ(RunChain(id), chain_result_);
}

TEST_F(FallbackRuns, OfManyThreadsShareOnePlacing) {
  const LogFile log;
  const NetworkId id = LoadForBoth();
  constexpr int kNumThreads = 8;
  Gate gate;
  a_->execute = [&gate](const ExecuteArgs& args) {
    gate.Pass();
    return Boom(args);
  };
  std::array<Outcome, kNumThreads> outcomes;
  std::vector<std::thread> threads;
  threads.reserve(kNumThreads);
  for (Outcome& outcome : outcomes) {
    threads.emplace_back([&] { outcome = RunOnce(id); });
  }
  gate.AwaitArrivals(kNumThreads);
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.status, Status::kSuccess);
    EXPECT_EQ(outcome.output, chain_result_);
  }
  ExpectElsewhere(id, kNumThreads);
  EXPECT_EQ(b_->CountEvents("create workload"), 1);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1) << "nobody uses the old placement";
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(b_->CountEvents("before load 2"), 1);
  EXPECT_EQ(b_->CountEvents("after load 2"), 1);
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1);
}

TEST_F(FallbackRuns, UseCompiledLayersNoLonger) {
  a_->optimize = [this](const OptimizeSubgraphArgs& args) {
    OptimizationViews views;
    EXPECT_EQ(ReplaceByPreCompiled(args, *args.subgraph, std::make_shared<TestCompiled>(a_, 2.0F),
                                   "compiled", &views),
              Status::kSuccess);
    return views;
  };
  const NetworkId id = LoadForBoth({"one", "two"});
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(a_->CountEvents("create workload"), 1) << "of what is compiled";
  a_->execute = Boom;
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(b_->CountEvents("create workload"), 2);
  ExpectElsewhere(id, 1);
}

TEST_F(FallbackRuns, UseImportedTensorsAgain) {
  const NetworkId id = LoadForBoth();
  alignas(64) float in[16] = {0, 1, 2, 3};
  alignas(64) float out[16] = {};
  const auto import = [&](BindingKind kind, float* data) {
    MemoryView view;
    view.data = data;
    view.source = MemorySource::kMalloc;
    view.size_bytes = 4 * sizeof(float);
    return runtime_->ImportTensor(id, kind, 0, view);
  };
  InputTensor input;
  input.imported = import(BindingKind::kInput, in);
  OutputTensor output;
  output.imported = import(BindingKind::kOutput, out);
  a_->execute = Boom;
  for (int run = 0; run < 2; ++run) {
    std::fill(std::begin(out), std::end(out), -1.0F);
    std::optional<Diagnostic> failure;
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {output}, &failure), Status::kSuccess)
        << (failure ? ToText(*failure) : "");
    EXPECT_EQ(std::vector<float>(out, out + 4), chain_result_);
  }
  ExpectElsewhere(id, 1);
  const ImportedTensorId later = import(BindingKind::kInput, in);
  runtime_->ReleaseImportedTensor(id, input.imported);
  runtime_->ReleaseImportedTensor(id, output.imported);
  runtime_->ReleaseImportedTensor(id, later);
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->ReleaseImportedTensor(id, later); }).code,
            DiagnosticCode::kUnknownImportedTensor);
}

TEST_F(FallbackRuns, WhoseInputsMayBeOverwrittenAreNotRepeated) {
  const NetworkId id = LoadForBoth();
  alignas(64) float memory[16] = {0, 1, 2, 3};
  MemoryView view;
  view.data = memory;
  view.source = MemorySource::kMalloc;
  view.size_bytes = 4 * sizeof(float);
  OutputTensor output;
  output.imported = runtime_->ImportTensor(id, BindingKind::kOutput, 0, view);
  InputTensor input = MakeInput(0, input_);
  input.tensor.data = memory;
  a_->execute = [](const ExecuteArgs& args) {
    args.GetOutput(0).Get<float>()[0] = 99;
    return Boom(args);
  };
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {output}, &failure), Status::kFailure);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kBackendThrew);
  const Diagnostic* why = FindCause(*failure, DiagnosticCode::kRunNotRepeated);
  ASSERT_NE(why, nullptr) << ToText(*failure);
  ExpectContains(why->why, "lies in the memory of an input");
  ExpectElsewhere(id, 0);
  std::copy(input_.begin(), input_.end(), memory);
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {input}, {output}), Status::kSuccess);
  EXPECT_EQ(std::vector<float>(memory, memory + 4), chain_result_);
}

TEST_F(FallbackRuns, ThatFailBehindTheirDeadlineAreNotRepeated) {
  const NetworkId id = LoadForBoth();
  const auto deadline = Soon();
  a_->execute = [deadline](const ExecuteArgs& args) {
    std::this_thread::sleep_until(deadline + milliseconds(1));
    return Boom(args);
  };
  RunOptions options;
  options.deadline = deadline;
  const Outcome outcome = Run(id, options);
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ExpectCode(outcome.failure, DiagnosticCode::kRunTimedOut);
  EXPECT_NE(FindCause(*outcome.failure, DiagnosticCode::kBackendThrew), nullptr);
  ExpectUntouched(id);
}

TEST_F(FallbackRuns, WhoseDeadlinePassesWhileTheNetworkIsPlacedAreNotRepeated) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  RunOptions options;
  options.deadline = steady_clock::now() + std::chrono::seconds(1);
  b_->on_create_workload = [&](const WorkloadArgs&) {
    std::this_thread::sleep_until(*options.deadline + milliseconds(1));
  };
  const Outcome outcome = Run(id, options);
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ExpectCode(outcome.failure, DiagnosticCode::kRunTimedOut);
  ExpectElsewhere(id, 0);
  EXPECT_EQ(RunChain(id), chain_result_);
}

TEST_F(FallbackRuns, ThatEndWhileTheNetworkIsPlacedLeaveThatToTheNext) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  const CancellationSource source;
  b_->optimize = [&](const OptimizeSubgraphArgs& args) {
    source.Cancel();
    OptimizationViews views;
    views.untouched.push_back(*args.subgraph);
    return views;
  };
  const Outcome outcome = Run(id, With(source));
  EXPECT_EQ(outcome.status, Status::kCancelled);
  ExpectCode(outcome.failure, DiagnosticCode::kRunCancelled);
  ExpectUntouched(id);
  EXPECT_EQ(RunChain(id), chain_result_);
  ExpectElsewhere(id, 1);
}

TEST_F(FallbackRuns, ThatWaitForAnotherToPlaceTheNetworkEndInTime) {
  const NetworkId id = LoadForBoth();
  std::atomic<int> num_failed{0};
  a_->execute = [&num_failed](const ExecuteArgs& args) {
    ++num_failed;
    return Boom(args);
  };
  Gate gate;
  HoldUpPlacing(gate);
  Outcome first;
  std::thread thread([&] { first = RunOnce(id); });
  gate.AwaitArrivals(1);
  const Outcome late = Run(id, Within(milliseconds(20)));
  EXPECT_EQ(late.status, Status::kTimeout);
  ExpectCode(late.failure, DiagnosticCode::kRunTimedOut);
  const CancellationSource source;
  Outcome cancelled;
  const int num_failed_before = num_failed;
  std::thread other([&] { cancelled = Run(id, With(source)); });
  EXPECT_TRUE(Await([&] { return num_failed > num_failed_before; }));
  source.Cancel();
  other.join();
  EXPECT_EQ(cancelled.status, Status::kCancelled);
  ExpectCode(cancelled.failure, DiagnosticCode::kRunCancelled);
  gate.Open();
  thread.join();
  EXPECT_EQ(first.status, Status::kSuccess);
  EXPECT_EQ(first.output, chain_result_);
  ExpectElsewhere(id, 1);
}

TEST_F(FallbackRuns, OfANetworkThatIsUnloadedMeanwhileAreRepeated) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  Gate gate;
  HoldUpPlacing(gate);
  Outcome outcome;
  std::thread thread([&] { outcome = RunOnce(id); });
  gate.AwaitArrivals(1);
  auto unloaded = std::async(std::launch::async, [&] {
    return runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous);
  });
  EXPECT_TRUE(Await([&] { return !IsLoaded(id); }));
  gate.Open();
  EXPECT_EQ(unloaded.get(), Status::kSuccess);
  thread.join();
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_FALSE(outcome.failure);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1);
}

TEST_F(FallbackRuns, OfARuntimeThatIsShutDownMeanwhileAreRepeated) {
  const NetworkId id = LoadForBoth();
  a_->execute = Boom;
  Gate gate;
  HoldUpPlacing(gate);
  Outcome outcome;
  std::thread thread([&] { outcome = RunOnce(id); });
  gate.AwaitArrivals(1);
  auto ended = std::async(std::launch::async,
                          [&] { return runtime_->Shutdown(steady_clock::now() + kGenerous); });
  EXPECT_TRUE(Await([&] { return !IsLoaded(id); }));
  gate.Open();
  EXPECT_EQ(ended.get(), Status::kSuccess);
  thread.join();
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1);
}

// The placement that failed stays until its last run has ended; the network is one for all that.
TEST_F(FallbackRuns, ThatHangInTheFailedBackendAreNamedAndKeepTheNetwork) {
  const NetworkId id = LoadForBoth();
  Gate gate;
  a_->execute = [&gate](const ExecuteArgs& args) {
    if (GetFirst(args) == 13) return Boom(args);
    gate.Pass();
    return Status::kSuccess;
  };
  std::thread thread([&] { RunChain(id); });
  gate.AwaitArrivals(1);
  const std::vector<float> cue(4, 13);
  std::vector<float> output(4);
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, cue)}, {MakeOutput(0, output)}),
            Status::kSuccess);
  EXPECT_EQ(output, std::vector<float>(4, 14));
  const std::vector<RunInProgress> runs = runtime_->GetRunsInProgress();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].backend_id, "A");
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kNetworkInUse);
  ASSERT_EQ(failure->causes.size(), 1U);
  ExpectContains(failure->causes[0].what, "on backend \"A\"");
  EXPECT_EQ(RunChain(id), chain_result_) << "it is loaded as before";
  gate.Open();
  thread.join();
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous), Status::kSuccess);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1);
}

TEST_F(FallbackRuns, KeepTheFailedPlacementWhileADeviceWorksForIt) {
  const int event = eventfd(0, EFD_CLOEXEC);
  a_->capabilities.emplace_back(kCapabilityFences, kAllFenceKinds);
  runtime_ = MakeRuntime({a_, b_});
  const NetworkId id = LoadForBoth();
  a_->execute = [event](const ExecuteArgs& args) {
    if (args.GetCompletion() != nullptr)
      *args.GetCompletion() = {FenceKind::kEventFd, event, 0, 0, {}};
    return Status::kSuccess;
  };
  const Outcome left = Run(id, Within(kUntilItHasBegun));
  ExpectCode(left.failure, DiagnosticCode::kRunLeft);
  a_->execute = Boom;
  EXPECT_EQ(RunChain(id), chain_result_);
  EXPECT_EQ(a_->CountEvents("before unload 1"), 0);
  EXPECT_EQ(runtime_->GetRunsInProgress().size(), 1U);
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon()), Status::kTimeout);
  eventfd_write(event, 1);
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous), Status::kSuccess);
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  runtime_.reset();
  close(event);
}

TEST_F(FallbackRuns, TellTheFailedBackendOfItsUnloadingWithoutHoldingAnythingUp) {
  const NetworkId id = LoadForBoth();
  std::size_t num_runs = 99;
  a_->on_event = [&](const std::string& event) {
    if (event == "before unload 1") num_runs = runtime_->GetRunsInProgress().size();
  };
  a_->execute = Boom;
  EXPECT_EQ(RunChain(id), chain_result_);
  EXPECT_EQ(num_runs, 0U);
  a_->on_event = nullptr;
}

TEST_F(FallbackRuns, WhoseBindingsAreWrongAreNotRepeated) {
  const NetworkId id = LoadForBoth();
  std::vector<float> output(4);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {}, {MakeOutput(0, output)}, &failure),
            Status::kInvalidArgument);
  ExpectCode(failure, DiagnosticCode::kWrongTensorBinding);
  ExpectUntouched(id);
}

TEST_F(FallbackRuns, OfNoNetworkHaveNoReport) {
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->GetFallbackReport(7); }).code,
            DiagnosticCode::kUnknownNetwork);
}

}  // namespace
}  // namespace backplane
