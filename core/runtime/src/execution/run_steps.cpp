#include "execution/run_steps.hpp"

#include "profiling/clock.hpp"

#include <chrono>
#include <utility>

namespace backplane {

RunOutcome MakeFailed(std::size_t step, PluginResult<Status> result,
                      const RunLimit* limit) noexcept {
  if (limit != nullptr && result.value == Status::kCancelled) {
    const RunStop stop = limit->Check(std::chrono::steady_clock::now());
    if (stop != RunStop::kNone) return {GetStatus(stop), step, nullptr, {}, stop};
  }
  if (result.HasFailed()) {
    const bool is_refused = result.value == Status::kInvalidArgument;
    const Status status = is_refused ? Status::kInvalidArgument : Status::kFailure;
    return {status, step, std::move(result.failure), {}};
  }
  return {result.value, step, nullptr, {}};
}

// The end of one step is the begin of the next, so that each costs one look at the clock.
RunOutcome RunSteps(StepRange range, const std::vector<WorkloadCall>& workloads,
                    const std::vector<bp_run_args>& arguments, RunProgress& progress,
                    std::uint64_t* times_ns) noexcept {
  if (times_ns != nullptr) times_ns[range.first] = profiling::Now();
  for (std::size_t step = range.first; step < range.end; ++step) {
    progress.EnterStep(step);
    auto result = workloads[step](arguments[step]);
    if (times_ns != nullptr) times_ns[step + 1] = profiling::Now();
    if (result.HasFailed() || result.value != Status::kSuccess) {
      progress.Leave();
      return MakeFailed(step, std::move(result), nullptr);
    }
  }
  progress.Leave();
  return {};
}

// One look at the clock for each step: it tells whether there is time, since when the step runs,
// and how long the one before it took.
RunOutcome RunStepsBounded(StepRange range, const std::vector<WorkloadCall>& workloads,
                           const std::vector<bp_run_args>& arguments, RunProgress& progress,
                           const RunLimit& limit, std::uint64_t* times_ns) noexcept {
  for (std::size_t step = range.first; step < range.end; ++step) {
    const RunLimit::Time now =
        times_ns != nullptr ? std::chrono::steady_clock::now() : limit.LookAtClock();
    if (times_ns != nullptr) times_ns[step] = times_ns[step + 1] = profiling::ToNanoseconds(now);
    const RunStop stop = limit.Check(now);
    if (stop != RunStop::kNone) return {GetStatus(stop), step, nullptr, {}, stop};
    progress.EnterStep(step, now);
    auto result = workloads[step](arguments[step]);
    const bool has_failed = result.HasFailed() || result.value != Status::kSuccess;
    const bool is_last = has_failed || step + 1 == range.end;
    if (is_last && times_ns != nullptr) times_ns[step + 1] = profiling::Now();
    if (has_failed) return MakeFailed(step, std::move(result), &limit);
  }
  return {};
}

}  // namespace backplane
