#include "execution/run_steps.hpp"

#include <utility>

namespace backplane {

RunOutcome MakeFailed(std::size_t step, PluginResult<Status> result) noexcept {
  if (result.HasFailed()) return {Status::kFailure, step, std::move(result.failure), {}};
  return {result.value, step, nullptr, {}};
}

RunOutcome RunSteps(StepRange range, const std::vector<PluginObject<IWorkload>>& workloads,
                    const std::vector<ExecuteArgs>& arguments, RunProgress& progress) noexcept {
  for (std::size_t step = range.first; step < range.end; ++step) {
    progress.EnterStep(step);
    auto result = workloads[step].Call<&IWorkload::Execute>(arguments[step]);
    if (result.HasFailed() || result.value != Status::kSuccess) {
      progress.Leave();
      return MakeFailed(step, std::move(result));
    }
  }
  progress.Leave();
  return {};
}

}  // namespace backplane
