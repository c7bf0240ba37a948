#pragma once

#include "execution/execution_plan.hpp"
#include "loading/loaded_backend.hpp"
#include "placement/kind_table.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/workload_call.hpp>

#include <vector>

namespace backplane {

/// Makes what is run in each step of a plan: workloads of the backends, and the core's copies and
/// imports.
/// Errors: DiagnosticException as CreateWorkload.
std::vector<WorkloadCall> CreateSteps(const std::vector<LoadedBackend>& backends,
                                      const BridgedNetwork& network, const KindTable& table,
                                      const ExecutionPlan& plan);

}  // namespace backplane
