#pragma once

#include "execution/run_steps.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

/// As RunSteps, and writes when the first step of the range began, at its place, and when each
/// ended that was run, at the place behind. `times_ns` has room for one more than there are steps.
RunOutcome RunStepsTimed(StepRange range, const std::vector<PluginObject<IWorkload>>& workloads,
                         const std::vector<ExecuteArgs>& arguments, RunProgress& progress,
                         std::uint64_t* times_ns) noexcept;

}  // namespace backplane
