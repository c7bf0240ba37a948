#pragma once

#include "execution/execution_plan.hpp"
#include "execution/fence_plan.hpp"
#include "execution/run_steps.hpp"
#include "profiling/run_buffer.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/workload_call.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// The steps of a network with backends that hand over fences. Borrows all.
struct FencedSteps {
  const std::vector<PlannedStep>& steps;
  const FencePlan& plan;
  const std::vector<WorkloadCall>& workloads;
  const std::vector<PluginObject<IWorkloadFactory>>& factories;  // for each backend
  const std::vector<FenceKindFlags>* awaited = nullptr;          // by each backend; null: all kinds
};

/// As RunSteps. Steps of backends that hand over fences may go on when they have returned; what
/// depends on them waits, by itself or on this thread. All of the range have finished at the end,
/// also when one failed, unless `is_left` says otherwise. The fields of `arguments` for fences must
/// point into `fences`. Waiting for what a step depends on lies within the time of that step.
/// Null: without `limit`, the run ends when all has finished, however long that takes; without
/// `times`, none are taken.
RunOutcome RunStepsFenced(StepRange range, const FencedSteps& steps,
                          std::vector<bp_run_args>& arguments, PendingFences& fences,
                          RunProgress& progress, const RunLimit* limit,
                          profiling::RunTimes* times) noexcept;

/// Whether the work that a run left has finished by now. Waits for nothing.
bool HasLeftWorkFinished(const FencedSteps& steps, PendingFences& fences) noexcept;

}  // namespace backplane
