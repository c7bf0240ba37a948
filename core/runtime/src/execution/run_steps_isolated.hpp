// Runs steps of which some run in other processes.
#pragma once

#include "execution/isolated_steps.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_progress.hpp"
#include "execution/run_steps.hpp"

#include <backplane/host/workload_call.hpp>
#include <cstdint>
#include <vector>

namespace backplane {

/// As RunSteps. Steps of one isolated backend that follow each other are handed over together.
/// A run that is ended leaves nothing behind that works: what does not come back soon after is
/// ended with its process.
/// Null: without `limit`, the run is not bounded; without `times_ns`, no times are taken. With
/// them, each step is waited for by itself.
RunOutcome RunStepsIsolated(StepRange range, const std::vector<WorkloadCall>& workloads,
                            const IsolatedSteps& isolated,
                            const std::vector<bp_run_args>& arguments, RunProgress& progress,
                            const RunLimit* limit, std::uint64_t* times_ns) noexcept;

}  // namespace backplane
