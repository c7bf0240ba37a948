#include "execution/run_steps_fenced.hpp"

#include "execution/await_fence.hpp"
#include "profiling/clock.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

class FencedRun {
 public:
  FencedRun(const FencedSteps& steps, std::vector<ExecuteArgs>& arguments, PendingFences& fences)
      : steps_(steps), arguments_(arguments), fences_(fences) {
    std::fill(fences.progress.begin(), fences.progress.end(), StepProgress::kFinished);
  }

  RunOutcome Run(std::uint64_t* times_ns) {
    if (times_ns != nullptr) times_ns[0] = profiling::Now();
    const std::size_t num_steps = steps_.workloads.size();
    for (std::size_t step = 0; step < num_steps && !HasFailed(); ++step) {
      if (AwaitDependencies(step)) Execute(step);
      if (times_ns != nullptr) times_ns[step + 1] = profiling::Now();
    }
    AwaitAll(StepProgress::kPending);
    // One that was to wait for others has perhaps not done so.
    if (HasFailed()) AwaitAll(StepProgress::kFollowed);
    return std::move(outcome_);
  }

 private:
  bool HasFailed() const { return outcome_.status != Status::kSuccess; }
  bool MayGoOn(std::size_t step) const {
    return steps_.plan.completions[step] == StepCompletion::kByFence;
  }

  template <typename Take>
  void ForEachDependency(std::size_t step, const Take& take) {
    const FencePlan& plan = steps_.plan;
    for (std::uint32_t i = plan.first[step]; i < plan.first[step + 1]; ++i) {
      const std::uint32_t earlier = plan.dependencies[i];
      if (fences_.progress[earlier] != StepProgress::kFinished) take(earlier);
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
    arguments_[step].num_wait_fences = num_handed_over;
    return !HasFailed();
  }

  bool CanHandOver(std::uint32_t earlier, std::size_t step) const {
    if (!MayGoOn(step)) return false;
    return fences_.completions[earlier].kind != FenceKind::kOpaque ||
           steps_.steps[earlier].backend == steps_.steps[step].backend;
  }

  void Execute(std::size_t step) {
    FenceView& completion = fences_.completions[step];
    completion = {};
    auto result = steps_.workloads[step].Call<&IWorkload::Execute>(arguments_[step]);
    const FenceFault::Kind fault = FindFaultOf(completion);
    const bool is_pending = completion.kind != FenceKind::kNone && fault == FenceFault::Kind::kNone;
    if (is_pending) fences_.progress[step] = StepProgress::kPending;
    if (result.HasFailed()) {
      Fail({Status::kFailure, step, std::move(result.failure), {}});
    } else if (result.value != Status::kSuccess) {
      Fail({result.value, step, nullptr, {}});
    } else if (fault != FenceFault::Kind::kNone) {
      Fail({Status::kFailure, step, nullptr, {fault, Status::kSuccess, completion}});
    } else {
      Follow(step, is_pending ? StepProgress::kFollowed : StepProgress::kFinished);
    }
  }

  /// What the step waits for has passed when its own fence has.
  void Follow(std::size_t step, StepProgress progress) {
    ForEachDependency(step, [&](std::uint32_t earlier) { fences_.progress[earlier] = progress; });
  }

  void Await(std::size_t step) {
    const std::uint32_t backend = steps_.steps[step].backend;
    AwaitOutcome awaited = AwaitFence(fences_.completions[step], steps_.factories[backend]);
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

  // What failed first is told.
  void Fail(RunOutcome outcome) {
    if (!HasFailed()) outcome_ = std::move(outcome);
  }

  const FencedSteps& steps_;
  std::vector<ExecuteArgs>& arguments_;
  PendingFences& fences_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome RunStepsFenced(const FencedSteps& steps, std::vector<ExecuteArgs>& arguments,
                          PendingFences& fences, std::uint64_t* times_ns) noexcept {
  return FencedRun(steps, arguments, fences).Run(times_ns);
}

}  // namespace backplane
