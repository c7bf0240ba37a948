/// Runs that are ended while a device works for them.

#include "execution/runs_fixture.hpp"

#include "support/forked_child.hpp"

#include <algorithm>
#include <functional>
#include <thread>

namespace backplane {
namespace {

/// A hands over a fence in its first layer, which passes when the test says so.
class LeftRuns : public RunsFixture {
 protected:
  LeftRuns() {
    a_->capabilities.emplace_back(kCapabilityFences, kAllFenceKinds);
    a_->execute = [this](const ExecuteArgs& args) {
      if (args.GetCompletion() != nullptr)
        *args.GetCompletion() = {FenceKind::kEventFd, event_, 0, 0, {}};
      return Status::kSuccess;
    };
    runtime_ = MakeRuntime({a_, b_});
  }
  ~LeftRuns() override {
    Finish();
    runtime_.reset();
    close(event_);
  }

  /// Cancels a run once the device has its work, however long that takes.
  void Leave(const std::function<Status(const RunOptions&)>& run) {
    const CancellationSource source;
    const std::size_t before = runtime_->GetRunsInProgress().size();
    Status status = Status::kSuccess;
    std::thread thread([&] { status = run(With(source)); });
    EXPECT_TRUE(Await([&] {
      const auto runs = runtime_->GetRunsInProgress();
      return runs.size() == before + 1 &&
             std::all_of(runs.begin(), runs.end(),
                         [](const RunInProgress& one) { return one.phase == RunPhase::kFence; });
    }));
    source.Cancel();
    thread.join();
    EXPECT_EQ(status, Status::kCancelled);
  }

  void Finish() const { eventfd_write(event_, 1); }

  const int event_ = eventfd(0, EFD_CLOEXEC);
};

TEST_F(LeftRuns, KeepTheNetworkUntilTheWorkHasFinished) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const Outcome outcome = Run(id, Within(kUntilItHasBegun));
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ASSERT_TRUE(outcome.failure);
  ExpectDiagnostic(*outcome.failure, DiagnosticCode::kRunLeft, "chain", "that had not passed",
                   "its deadline was");
  ExpectContains(outcome.failure->why, "found a completion fence of layer ");
  ExpectContains(outcome.failure->what, "layer \"one\" (Activation) on backend \"A\"");

  const std::vector<RunInProgress> runs = runtime_->GetRunsInProgress();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].phase, RunPhase::kFence);
  EXPECT_EQ(runs[0].backend_id, "A");

  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kNetworkInUse);
  ASSERT_EQ(failure->causes.size(), 1U);
  ExpectContains(failure->causes[0].what, "waits for the work of layer \"one\"");

  Finish();
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous), Status::kSuccess);
  EXPECT_TRUE(runtime_->GetRunsInProgress().empty());
}

TEST_F(LeftRuns, EndWhenTheyAreCancelled) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const CancellationSource source;
  std::thread thread([&] {
    const Outcome outcome = Run(id, With(source));
    EXPECT_EQ(outcome.status, Status::kCancelled);
    ExpectCode(outcome.failure, DiagnosticCode::kRunLeft);
  });
  EXPECT_TRUE(Await([&] {
    const auto runs = runtime_->GetRunsInProgress();
    return runs.size() == 1 && runs[0].phase == RunPhase::kFence;
  }));
  source.Cancel();
  thread.join();
}

TEST_F(LeftRuns, KeepTheirMemoryFromOtherRuns) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const auto run = [&](const RunOptions& options) { return Run(id, options).status; };
  Leave(run);
  Leave(run);
  EXPECT_EQ(runtime_->GetRunsInProgress().size(), 2U);
  Finish();
  EXPECT_EQ(Run(id, Within(kGenerous)).status, Status::kSuccess);
  EXPECT_TRUE(runtime_->GetRunsInProgress().empty()) << "a later run looks whether they are done";
}

TEST_F(LeftRuns, OfAParentHoldUpNothingInItsChild) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Leave([&](const RunOptions& options) { return Run(id, options).status; });
  {
    const test::ForkedChild child([&] {
      a_->execute = nullptr;
      EXPECT_EQ(Run(id, {}).status, Status::kSuccess);
      EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
      runtime_.reset();
    });
  }
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon()), Status::kTimeout);
  Finish();
  EXPECT_EQ(runtime_->UnloadNetwork(id, steady_clock::now() + kGenerous), Status::kSuccess);
}

TEST_F(LeftRuns, KeepImportedTensorsUntilTheWorkHasFinished) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  alignas(64) float values[16] = {};
  MemoryView view;
  view.data = values;
  view.source = MemorySource::kMalloc;
  view.size_bytes = 4 * sizeof(float);
  const ImportedTensorId imported = runtime_->ImportTensor(id, BindingKind::kInput, 0, view);
  InputTensor input;
  input.imported = imported;
  std::vector<float> output(4);
  Leave([&](const RunOptions& options) {
    return runtime_->EnqueueWorkload(id, {input}, {MakeOutput(0, output)}, options);
  });
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->ReleaseImportedTensor(id, imported); }).code,
            DiagnosticCode::kUnknownImportedTensor);
  Finish();
  runtime_->ReleaseImportedTensor(id, imported);
}

TEST_F(LeftRuns, OutliveTheRuntimeThatIsShutDown) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Leave([&](const RunOptions& options) { return Run(id, options).status; });
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kRuntimeInUse);
  ASSERT_EQ(failure->causes.size(), 1U);
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("~workload"), 0) << "the device may still use it";
}

}  // namespace
}  // namespace backplane
