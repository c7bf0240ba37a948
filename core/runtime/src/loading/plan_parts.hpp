#pragma once

#include "execution/execution_plan.hpp"
#include "placement/optimized_network.hpp"

namespace backplane {

/// Plans the runs of an optimised network, with what its backends say of working in place.
/// Errors: as PlanExecution; what a backend threw; kWorkloadNotCreated when it names tensors that
/// it has not, or that differ.
ExecutionPlan PlanParts(const OptimizedNetworkParts& parts);

}  // namespace backplane
