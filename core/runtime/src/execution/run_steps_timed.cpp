#include "execution/run_steps_timed.hpp"

#include "profiling/clock.hpp"

#include <utility>

namespace backplane {

// The end of one step is the begin of the next, so that each costs one look at the clock.
RunOutcome RunStepsTimed(StepRange range, const std::vector<PluginObject<IWorkload>>& workloads,
                         const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
                         std::uint64_t* times_ns) noexcept {
  times_ns[range.first] = profiling::Now();
  for (std::size_t step = range.first; step < range.end; ++step) {
    progress.EnterStep(step);
    auto result = workloads[step].Call<&IWorkload::Execute>(arguments[step]);
    times_ns[step + 1] = profiling::Now();
    if (result.HasFailed() || result.value != Status::kSuccess) {
      progress.Leave();
      return MakeFailed(step, std::move(result));
    }
  }
  progress.Leave();
  return {};
}

}  // namespace backplane
