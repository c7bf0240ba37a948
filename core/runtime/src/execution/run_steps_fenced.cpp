#include "execution/run_steps_fenced.hpp"

#include "execution/fence_fault.hpp"
#include "execution/run_limit.hpp"
#include "profiling/clock.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <poll.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <utility>

namespace backplane {
namespace {

/// How waiting for a fence ended.
struct AwaitOutcome {
  FenceFault fault;
  std::unique_ptr<Diagnostic> thrown;  // when WaitForFence threw
  RunStop stop = RunStop::kNone;       // when the fence has not passed
};

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

// Longer than anything should take, and short enough to be counted in any clock.
constexpr std::chrono::seconds kSlice{1};

/// The slices in which one waits.
class Wait {
 public:
  explicit Wait(const RunLimit* limit) : limit_(limit) {}

  nanoseconds GetSlice() const {
    return limit_ != nullptr ? limit_->GetWait(steady_clock::now()) : kSlice;
  }
  std::uint64_t GetSliceNs() const {
    return limit_ != nullptr ? static_cast<std::uint64_t>(GetSlice().count()) : kNoTimeout;
  }
  /// What ends the waiting, after a slice in which the fence did not pass.
  RunStop Check() const {
    return limit_ != nullptr ? limit_->Check(steady_clock::now()) : RunStop::kNone;
  }

 private:
  const RunLimit* limit_;
};

enum class Polled { kReadable, kNotYet, kWrong };

Polled Poll(int descriptor, nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec timeout{seconds.count(), (time - seconds).count()};
  pollfd request{descriptor, POLLIN, 0};
  const int ready = ppoll(&request, 1, &timeout, nullptr);
  if (ready == 0 || (ready < 0 && (errno == EINTR || errno == EAGAIN))) return Polled::kNotYet;
  return ready == 1 && (request.revents & POLLIN) != 0 ? Polled::kReadable : Polled::kWrong;
}

// Reads nothing. Sanitizers take poll for no synchronisation, but this.
void AcquireFrom(int descriptor) {
  const iovec nothing{};
  static_cast<void>(readv(descriptor, &nothing, 0));
}

AwaitOutcome AwaitDescriptor(const FenceView& fence, const Wait& wait) {
  for (;;) {
    const Polled polled = Poll(fence.file_descriptor, wait.GetSlice());
    if (polled == Polled::kWrong) {
      return {{FenceFault::Kind::kNotPolled, Status::kSuccess, fence}, nullptr};
    }
    if (polled == Polled::kReadable) {
      AcquireFrom(fence.file_descriptor);
      return {};
    }
    const RunStop stop = wait.Check();
    if (stop != RunStop::kNone) return {{}, nullptr, stop};
  }
}

AwaitOutcome AskFactory(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory,
                        const Wait& wait) {
  for (;;) {
    auto result = factory.Call<&IWorkloadFactory::WaitForFence>(fence, wait.GetSliceNs());
    if (result.HasFailed()) return {{}, std::move(result.failure)};
    if (result.value == Status::kSuccess) return {};
    if (result.value != Status::kTimeout) {
      return {{FenceFault::Kind::kNotWaitedFor, result.value, fence}, nullptr};
    }
    const RunStop stop = wait.Check();
    if (stop != RunStop::kNone) return {{}, nullptr, stop};
  }
}

// Waits on this thread until a fence has passed, or the limit ends that. `factory` is that of the
// backend which gave the fence. Whether it has passed is looked at once, whatever the limit says.
// Null: without `limit`, however long it takes.
AwaitOutcome AwaitFence(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory,
                        const RunLimit* limit) noexcept {
  const Wait wait(limit);
  if (fence.kind == FenceKind::kNone) return {};
  if (fence.kind == FenceKind::kOpaque) return AskFactory(fence, factory, wait);
  AwaitOutcome outcome = AwaitDescriptor(fence, wait);
  const bool has_passed =
      outcome.fault.kind == FenceFault::Kind::kNone && outcome.stop == RunStop::kNone;
  // How the work ended, a descriptor cannot say.
  return has_passed && fence.token != 0 ? AskFactory(fence, factory, wait) : std::move(outcome);
}

class FencedRun {
 public:
  FencedRun(const FencedSteps& steps, std::vector<bp_run_args>& arguments, PendingFences& fences,
            RunProgress& progress, const RunLimit* limit, profiling::RunTimes* times)
      : steps_(steps),
        arguments_(arguments),
        fences_(fences),
        progress_(progress),
        limit_(limit),
        times_(times) {
    std::fill(fences.progress.begin(), fences.progress.end(), StepProgress::kFinished);
  }

  RunOutcome Run(StepRange range) {
    if (times_ != nullptr) times_->steps[range.first] = profiling::Now();
    for (std::size_t step = range.first; step < range.end && !HasFailed(); ++step) {
      if (AwaitDependencies(step) && MayBegin(step)) Execute(step);
      if (times_ != nullptr) times_->steps[step + 1] = profiling::Now();
    }
    AwaitAll(StepProgress::kPending);
    // One that was to wait for others has perhaps not done so.
    if (HasFailed()) AwaitAll(StepProgress::kFollowed);
    AskForOutcomes();
    if (!outcome_.is_left) progress_.Leave();
    return std::move(outcome_);
  }

 private:
  bool HasFailed() const { return outcome_.status != Status::kSuccess; }
  bool MayGoOn(std::size_t step) const {
    return steps_.plan.completions[step] == StepCompletion::kByFence;
  }

  /// Notes where the run is; false when it may not go on.
  bool MayBegin(std::size_t step) {
    if (limit_ == nullptr) {
      progress_.EnterStep(step);
      return true;
    }
    const RunLimit::Time now = limit_->LookAtClock();
    const RunStop stop = limit_->Check(now);
    if (stop != RunStop::kNone) {
      Fail({GetStatus(stop), step, nullptr, {}, stop});
      return false;
    }
    progress_.EnterStep(step, now);
    return true;
  }

  template <typename Take>
  void ForEachDependency(std::size_t step, const Take& take) {
    const FencePlan& plan = steps_.plan;
    for (std::uint32_t i = plan.first[step]; i < plan.first[step + 1]; ++i) {
      const std::uint32_t earlier = plan.dependencies[i];
      const StepProgress progress = fences_.progress[earlier];
      if (progress == StepProgress::kPending || progress == StepProgress::kFollowed) take(earlier);
    }
  }

  /// Has the step wait for what it depends on, or does so here; false when that failed.
  bool AwaitDependencies(std::size_t step) {
    std::uint32_t num_handed_over = 0;
    ForEachDependency(step, [&](std::uint32_t earlier) {
      if (CanHandOver(earlier, step)) {
        fences_.handed_over[num_handed_over++] = fences_.completions[earlier];
      } else {
        Await(earlier);
      }
    });
    arguments_[step].num_waits = num_handed_over;
    return !HasFailed();
  }

  bool CanHandOver(std::uint32_t earlier, std::size_t step) const {
    if (!MayGoOn(step)) return false;
    const FenceKindFlags kind = ToFlags(fences_.completions[earlier].kind);
    const bool is_awaited =
        steps_.awaited == nullptr || ((*steps_.awaited)[steps_.steps[step].backend] & kind) != 0;
    if (!is_awaited) return false;
    return fences_.completions[earlier].kind != FenceKind::kOpaque ||
           steps_.steps[earlier].backend == steps_.steps[step].backend;
  }

  void Execute(std::size_t step) {
    FenceView& completion = fences_.completions[step];
    completion = {};
    auto result = steps_.workloads[step](arguments_[step]);
    const FenceFault::Kind fault = FindFaultOf(completion);
    const bool is_pending = completion.kind != FenceKind::kNone && fault == FenceFault::Kind::kNone;
    if (is_pending) fences_.progress[step] = StepProgress::kPending;
    if (result.HasFailed() || result.value != Status::kSuccess) {
      Fail(MakeFailed(step, std::move(result), limit_));
    } else if (fault != FenceFault::Kind::kNone) {
      Fail({Status::kFailure, step, nullptr, {fault, Status::kSuccess, completion}});
    } else {
      Follow(step, is_pending ? StepProgress::kFollowed : StepProgress::kFinished);
    }
  }

  /// What the step waits for has passed when its own fence has.
  void Follow(std::size_t step, StepProgress progress) {
    ForEachDependency(step, [&](std::uint32_t earlier) {
      const bool is_asked = progress == StepProgress::kFinished && TellsOutcome(earlier);
      fences_.progress[earlier] = is_asked ? StepProgress::kPassed : progress;
    });
  }

  /// Whether its backend has to be asked how the work ended, as the fence itself cannot say.
  bool TellsOutcome(std::size_t step) const {
    const FenceView& fence = fences_.completions[step];
    return fence.kind != FenceKind::kOpaque && fence.token != 0;
  }

  void Await(std::size_t step) {
    if (limit_ == nullptr) {
      progress_.AwaitStep(step);
    } else if (!outcome_.is_left) {
      progress_.AwaitStep(step, std::chrono::steady_clock::now());
    }
    const std::uint32_t backend = steps_.steps[step].backend;
    const bool is_timed = times_ != nullptr && fences_.progress[step] != StepProgress::kPassed;
    const std::uint64_t begin_ns = is_timed ? profiling::Now() : 0;
    AwaitOutcome awaited = AwaitFence(fences_.completions[step], steps_.factories[backend], limit_);
    if (is_timed) times_->waits[step] = {begin_ns, profiling::Now()};
    if (awaited.stop != RunStop::kNone) {
      Fail({GetStatus(awaited.stop), step, nullptr, {}, awaited.stop});
      outcome_.is_left = true;
      return;
    }
    fences_.progress[step] = StepProgress::kFinished;
    const bool is_wrong = awaited.fault.kind != FenceFault::Kind::kNone;
    if (is_wrong || awaited.thrown) {
      Fail({Status::kFailure, step, std::move(awaited.thrown), awaited.fault});
    } else {
      Follow(step, StepProgress::kFinished);
    }
  }

  void AwaitAll(StepProgress progress) {
    for (std::size_t step = 0; step < fences_.progress.size(); ++step) {
      if (fences_.progress[step] == progress) Await(step);
    }
  }

  /// Of those whose fences were waited for by other steps alone.
  void AskForOutcomes() {
    for (std::size_t step = 0; step < fences_.progress.size(); ++step) {
      StepProgress& progress = fences_.progress[step];
      if (progress == StepProgress::kFollowed && TellsOutcome(step)) {
        progress = StepProgress::kPassed;
      }
      if (progress == StepProgress::kPassed) Await(step);
    }
  }

  // What failed first is told. Steps behind an event may fail before its backend was asked.
  void Fail(RunOutcome outcome) {
    const std::size_t step = outcome.failed_step;
    if (HasFailed() && !(step < outcome_.failed_step && TellsOutcome(step))) return;
    outcome.is_left = outcome_.is_left;
    outcome_ = std::move(outcome);
  }

  const FencedSteps& steps_;
  std::vector<bp_run_args>& arguments_;
  PendingFences& fences_;
  RunProgress& progress_;
  const RunLimit* const limit_;       // null: none
  profiling::RunTimes* const times_;  // null: none are taken
  RunOutcome outcome_;
};

// Over at once.
RunLimit MakeLookOnce() {
  RunOptions options;
  options.deadline = RunLimit::Time::min();
  return RunLimit(options, RunLimit::Time::min());
}

}  // namespace

RunOutcome RunStepsFenced(StepRange range, const FencedSteps& steps,
                          std::vector<bp_run_args>& arguments, PendingFences& fences,
                          RunProgress& progress, const RunLimit* limit,
                          profiling::RunTimes* times) noexcept {
  return FencedRun(steps, arguments, fences, progress, limit, times).Run(range);
}

// One whose fence cannot be asked any more is taken as finished, as when a run waits for it.
bool HasLeftWorkFinished(const FencedSteps& steps, PendingFences& fences) noexcept {
  const RunLimit look_once = MakeLookOnce();
  bool has_finished = true;
  for (std::size_t step = 0; step < fences.progress.size(); ++step) {
    if (fences.progress[step] == StepProgress::kFinished) continue;
    const auto& factory = steps.factories[steps.steps[step].backend];
    if (AwaitFence(fences.completions[step], factory, &look_once).stop != RunStop::kNone) {
      has_finished = false;
    } else {
      fences.progress[step] = StepProgress::kFinished;
    }
  }
  return has_finished;
}

}  // namespace backplane
