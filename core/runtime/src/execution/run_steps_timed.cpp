#include "execution/run_steps_timed.hpp"

#include "profiling/clock.hpp"

#include <utility>

namespace backplane {

// The end of one step is the begin of the next, so that each costs one look at the clock.
RunOutcome RunStepsTimed(const std::vector<PluginObject<IWorkload>>& workloads,
                         const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
                         std::uint64_t* times_ns) noexcept {
  const std::size_t num_steps = workloads.size();
  times_ns[0] = profiling::Now();
  for (std::size_t step = 0; step < num_steps; ++step) {
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
