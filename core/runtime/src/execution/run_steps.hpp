#pragma once

#include "execution/fence_fault.hpp"
#include "execution/isolated_steps.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_progress.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/workload_call.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

/// Steps that follow each other.
struct StepRange {
  std::size_t first = 0;
  std::size_t end = 0;  // behind the last
};

/// How a run of steps ended.
struct RunOutcome {
  Status status = Status::kSuccess;
  std::size_t failed_step = 0;         // when the status is not kSuccess
  std::unique_ptr<Diagnostic> thrown;  // when the step threw
  FenceFault fence_fault;              // when the step ran, and its fence is wrong
  RunStop stop = RunStop::kNone;       // when the run was ended before the step, or at its fence
  bool is_left = false;                // work goes on, whose fence was not waited for
  bool is_in_step = false;             // the run was ended while the step ran in another process
  std::size_t last_failed_step = 0;    // greater when it is not known which of several has failed
};

/// The outcome of a run whose step threw or gave another status than kSuccess. The run was ended
/// when the step says that it ended for that, and the limit agrees.
/// Null: without `limit`, no run is ended.
RunOutcome MakeFailed(std::size_t step, PluginResult<Status> result,
                      const RunLimit* limit) noexcept;

/// Runs the workloads of a range in their order, each with its arguments, up to the first that
/// fails.
/// Null: without `times_ns`, no times are taken. It has room for one more than there are steps, and
/// gets when the first step of the range began, at its place, and when each ended that was run, at
/// the place behind.
RunOutcome RunSteps(StepRange range, const std::vector<WorkloadCall>& workloads,
                    const std::vector<bp_run_args>& arguments, RunProgress& progress,
                    std::uint64_t* times_ns) noexcept;

/// Runs steps as RunSteps does, and ends before the first step at which the limit says so.
RunOutcome RunStepsBounded(StepRange range, const std::vector<WorkloadCall>& workloads,
                           const std::vector<bp_run_args>& arguments, RunProgress& progress,
                           const RunLimit& limit, std::uint64_t* times_ns) noexcept;

/// Runs steps as RunSteps does, but hands those of one isolated backend in a row over together.
/// A run that is ended leaves nothing behind that works: what does not come back soon after is
/// ended with its process.
/// Null: without `limit`, the run is not bounded; without `times_ns`, no times are taken. With
/// them, each step is waited for by itself.
RunOutcome RunStepsIsolated(StepRange range, const std::vector<WorkloadCall>& workloads,
                            const IsolatedSteps& isolated,
                            const std::vector<bp_run_args>& arguments, RunProgress& progress,
                            const RunLimit* limit, std::uint64_t* times_ns) noexcept;

}  // namespace backplane
