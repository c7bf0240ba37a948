#include "execution/run_steps_isolated.hpp"

#include "profiling/clock.hpp"

#include <chrono>
#include <utility>

namespace backplane {

namespace {

// How long a layer that runs may go on when its run has been ended, before its process is.
constexpr std::chrono::milliseconds kGrace{100};

// So many steps are handed over before they are waited for: with more, handing over waits itself,
// and looks at no limit.
constexpr std::size_t kMostAtOnce = 512;

class IsolatedRun {
 public:
  IsolatedRun(const std::vector<PluginObject<IWorkload>>& workloads, const IsolatedSteps& isolated,
              const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
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
      const bool is_next = process != nullptr && arguments_[step].state == state_;
      if (!is_next && Finish(step)) return std::move(outcome_);
      if (LookAtLimit(step)) return std::move(outcome_);
      if (process != nullptr && !is_next) Open(*process, step);
      if (limit_ != nullptr && process != nullptr && !AwaitFormer(step)) return std::move(outcome_);
      if (RunStep(step)) return std::move(outcome_);
    }
    Finish(range.end);
    return std::move(outcome_);
  }

 private:
  void Open(IsolatedProcess& process, std::size_t step) {
    process_ = &process;
    state_ = arguments_[step].state;
    first_ = step;
    awaited_ = step;
  }

  // Each of these returns whether the run has ended.

  bool LookAtLimit(std::size_t step) {
    RunLimit::Time now{};
    if (times_ns_ != nullptr) {
      now = std::chrono::steady_clock::now();
      times_ns_[step] = times_ns_[step + 1] = profiling::ToNanoseconds(now);
    } else if (limit_ != nullptr) {
      now = limit_->LookAtClock();
    }
    if (limit_ == nullptr) {
      progress_.EnterStep(step);
      return false;
    }
    progress_.EnterStep(step, now);
    const RunStop stop = limit_->Check(now);
    return stop != RunStop::kNone && Stop(stop, step);
  }

  bool RunStep(std::size_t step) {
    ExecuteArgs args = arguments_[step];
    FenceView completion;
    if (isolated_.of_step[step] != nullptr) args.completion = &completion;
    auto result = workloads_[step].Call<&IWorkload::Execute>(args);
    const bool has_failed = result.HasFailed() || result.value != Status::kSuccess;
    if (!has_failed && times_ns_ == nullptr) return false;
    // What was handed over before may have failed first.
    if (Finish(step + 1)) return true;
    if (times_ns_ != nullptr) times_ns_[step + 1] = profiling::Now();
    if (has_failed) outcome_ = MakeFailed(step, std::move(result));
    return has_failed;
  }

  // `end` is the step behind those that were handed over.
  bool Finish(std::size_t end) {
    if (process_ == nullptr) return false;
    if (limit_ != nullptr && !Await(end)) return true;
    FinishedWork finished = process_->Finish(*state_);
    if (finished.status != Status::kSuccess) {
      outcome_.status = finished.status;
      outcome_.failed_step = FindStep(finished.workload, end);
      outcome_.thrown = std::move(finished.failure);
    }
    process_ = nullptr;
    state_ = nullptr;
    return outcome_.status != Status::kSuccess;
  }

  bool Await(std::size_t end) {
    auto now = std::chrono::steady_clock::now();
    while (!process_->WaitFor(*state_, limit_->GetWait(now))) {
      now = std::chrono::steady_clock::now();
      const RunStop stop = limit_->Check(now);
      if (stop != RunStop::kNone) return !Stop(stop, end - 1);
    }
    return true;
  }

  // False: the run has ended.
  bool AwaitFormer(std::size_t step) {
    if (step - awaited_ < kMostAtOnce) return true;
    awaited_ = step;
    return Await(step);
  }

  // Nothing works on when it has returned.
  bool Stop(RunStop stop, std::size_t step) {
    outcome_ = {GetStatus(stop), step, nullptr, {}, stop};
    if (process_ == nullptr) return true;
    process_->Cancel(*state_);
    if (!process_->WaitFor(*state_, kGrace)) {
      process_->End(*state_, stop == RunStop::kDeadline
                                 ? "it did not come back at the deadline of a run"
                                 : "it did not come back when its run was cancelled");
    }
    const FinishedWork finished = process_->Finish(*state_);
    if (finished.workload != nullptr) outcome_.failed_step = FindStep(finished.workload, step + 1);
    return true;
  }

  std::size_t FindStep(const IWorkload* workload, std::size_t end) const {
    for (std::size_t step = first_; step < end; ++step) {
      if (workloads_[step].Share().get() == workload) return step;
    }
    // One inside of a step of the core is waited for by that step.
    return workload != nullptr ? end - 1 : first_;
  }

  const std::vector<PluginObject<IWorkload>>& workloads_;
  const IsolatedSteps& isolated_;
  const std::vector<ExecuteArgs>& arguments_;
  RunProgress& progress_;
  const RunLimit* const limit_;
  std::uint64_t* const times_ns_;
  // Of the steps that were handed over and not yet waited for.
  IsolatedProcess* process_ = nullptr;
  IExecutionState* state_ = nullptr;
  std::size_t first_ = 0;
  std::size_t awaited_ = 0;  // those before it are done
  RunOutcome outcome_;
};

}  // namespace

RunOutcome RunStepsIsolated(StepRange range, const std::vector<PluginObject<IWorkload>>& workloads,
                            const IsolatedSteps& isolated,
                            const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
                            const RunLimit* limit, std::uint64_t* times_ns) noexcept {
  RunOutcome outcome =
      IsolatedRun(workloads, isolated, arguments, progress, limit, times_ns).Run(range);
  if (limit == nullptr) progress.Leave();
  return outcome;
}

}  // namespace backplane
