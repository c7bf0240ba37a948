#include "execution/run_steps.hpp"

#include "profiling/clock.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace backplane {

namespace {

/// What bounds a run bounds the work that it hands over.
class IsolatedRun final : private WorkLimit {
 public:
  IsolatedRun(const std::vector<WorkloadCall>& workloads, const IsolatedSteps& isolated,
              const std::vector<bp_run_args>& arguments, RunProgress& progress,
              const RunLimit* limit, std::uint64_t* times_ns)
      : workloads_(workloads),
        isolated_(isolated),
        arguments_(arguments),
        progress_(progress),
        limit_(limit),
        times_ns_(times_ns) {}

  RunOutcome Run(StepRange range) {
    for (std::size_t step = range.first; step < range.end; ++step) {
      IsolatedProcess* const process = isolated_.of_step[step];
      const bool is_next = process != nullptr && GetState(step) == state_;
      if (!is_next && Finish(step)) return std::move(outcome_);
      if (LookAtLimit(step, is_next)) return std::move(outcome_);
      if (process != nullptr && !is_next) Open(*process, step);
      if (RunStep(step)) return std::move(outcome_);
    }
    Finish(range.end);
    return std::move(outcome_);
  }

 private:
  void Open(IsolatedProcess& process, std::size_t step) {
    process_ = &process;
    state_ = GetState(step);
    first_ = step;
    process_->SetLimit(*state_, this);
  }

  // Each of these returns whether the run has ended.

  // What is handed over behind others does not run yet.
  bool LookAtLimit(std::size_t step, bool is_next) {
    RunLimit::Time now{};
    if (times_ns_ != nullptr) {
      now = std::chrono::steady_clock::now();
      times_ns_[step] = times_ns_[step + 1] = profiling::ToNanoseconds(now);
    } else if (limit_ != nullptr) {
      now = limit_->LookAtClock();
    }
    if (!is_next) Note(step, now);
    if (limit_ == nullptr) return false;
    const RunStop stop = limit_->Check(now);
    if (stop == RunStop::kNone) return false;
    if (process_ == nullptr) return Stop(stop, step, FinishedWork());
    const FinishedWork finished = Close();
    return Stop(stop, stop_ != RunStop::kNone ? std::min(noted_ + 1, step) : step, finished);
  }

  /// Of a step in another process.
  IExecutionState* GetState(std::size_t step) const {
    return reinterpret_cast<IExecutionState*>(arguments_[step].state);
  }

  bool RunStep(std::size_t step) {
    handed_over_ = step;
    bp_run_args args = arguments_[step];
    FenceView completion;
    if (isolated_.of_step[step] != nullptr)
      args.completion = reinterpret_cast<bp_fence*>(&completion);
    auto result = workloads_[step](args);
    const bool has_failed = result.HasFailed() || result.value != Status::kSuccess;
    if (!has_failed && times_ns_ == nullptr) return false;
    // What was handed over before may have failed first.
    if (Finish(step + 1)) return true;
    if (times_ns_ != nullptr) times_ns_[step + 1] = profiling::Now();
    if (has_failed) outcome_ = MakeFailed(step, std::move(result), limit_);
    return has_failed;
  }

  // `end` is the step behind those that were handed over.
  bool Finish(std::size_t end) {
    if (process_ == nullptr) return false;
    FinishedWork finished = Close();
    // What ran when the run was ended has come back; nothing behind it was begun.
    if (stop_ != RunStop::kNone) return Stop(stop_, std::min(noted_ + 1, end - 1), finished);
    if (finished.status == Status::kSuccess) return false;
    outcome_.status = finished.status;
    outcome_.failed_step = FindStep(finished.workload, end);
    if (finished.workload == nullptr) outcome_.last_failed_step = end - 1;
    outcome_.thrown = std::move(finished.failure);
    return true;
  }

  FinishedWork Close() {
    FinishedWork finished = process_->Finish(*state_);
    process_->SetLimit(*state_, nullptr);
    process_ = nullptr;
    state_ = nullptr;
    return finished;
  }

  bool Stop(RunStop stop, std::size_t step, const FinishedWork& finished) {
    outcome_ = {GetStatus(stop), step, nullptr, {}, stop};
    outcome_.is_in_step = finished.workload != nullptr;
    if (outcome_.is_in_step) outcome_.failed_step = FindStep(finished.workload, step + 1);
    return true;
  }

  std::chrono::nanoseconds GetWait() noexcept override {
    constexpr std::chrono::milliseconds kUntilNextLook{100};
    const auto now = limit_ != nullptr ? std::chrono::steady_clock::now() : RunLimit::Time();
    NoteRunning(now);
    return limit_ != nullptr ? limit_->GetWait(now) : kUntilNextLook;
  }

  bool IsReached() noexcept override {
    if (limit_ == nullptr || stop_ != RunStop::kNone) return stop_ != RunStop::kNone;
    const auto now = std::chrono::steady_clock::now();
    stop_ = limit_->Check(now);
    if (stop_ != RunStop::kNone) NoteRunning(now);
    return stop_ != RunStop::kNone;
  }

  const char* GetReason() const noexcept override {
    return stop_ == RunStop::kDeadline ? "it did not come back at the deadline of a run"
                                       : "it did not come back when its run was cancelled";
  }

  // The step that runs is not the one that was handed over last.
  void NoteRunning(RunLimit::Time now) {
    if (process_ == nullptr) return;
    const IWorkload* const running = process_->FindRunning(*state_);
    const std::size_t step = running != nullptr ? FindStep(running, handed_over_ + 1) : noted_;
    if (step != noted_) Note(step, now);
  }

  // A run without bounds looks at no clock.
  void Note(std::size_t step, RunLimit::Time now) {
    noted_ = step;
    if (limit_ != nullptr) {
      progress_.EnterStep(step, now);
    } else {
      progress_.EnterStep(step);
    }
  }

  std::size_t FindStep(const IWorkload* workload, std::size_t end) const {
    for (std::size_t step = first_; step < end; ++step) {
      if (workloads_[step].Get() == workload) return step;
    }
    // One inside of a step of the core is waited for by that step.
    return workload != nullptr ? end - 1 : first_;
  }

  const std::vector<WorkloadCall>& workloads_;
  const IsolatedSteps& isolated_;
  const std::vector<bp_run_args>& arguments_;
  RunProgress& progress_;
  const RunLimit* const limit_;
  std::uint64_t* const times_ns_;
  // Of the steps that were handed over and not yet waited for.
  IsolatedProcess* process_ = nullptr;
  IExecutionState* state_ = nullptr;
  std::size_t first_ = 0;
  std::size_t handed_over_ = 0;  // the last
  std::size_t noted_ = 0;        // of which the progress tells
  RunStop stop_ = RunStop::kNone;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome RunStepsIsolated(StepRange range, const std::vector<WorkloadCall>& workloads,
                            const IsolatedSteps& isolated,
                            const std::vector<bp_run_args>& arguments, RunProgress& progress,
                            const RunLimit* limit, std::uint64_t* times_ns) noexcept {
  RunOutcome outcome =
      IsolatedRun(workloads, isolated, arguments, progress, limit, times_ns).Run(range);
  if (limit == nullptr) progress.Leave();
  return outcome;
}

}  // namespace backplane
