#pragma once

#include "execution/run_limit.hpp"
#include "execution/run_steps.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// As RunSteps, and ends before the first step at which the limit says so. `times_ns` is null, or
/// as for RunStepsTimed.
RunOutcome RunStepsBounded(StepRange range, const std::vector<PluginObject<IWorkload>>& workloads,
                           const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
                           const RunLimit& limit, std::uint64_t* times_ns) noexcept;

}  // namespace backplane
