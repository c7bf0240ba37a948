#pragma once

/// The parts of a loaded network: its plan, the steps of it, and words for where a run is.

#include "execution/execution_plan.hpp"
#include "graph/graph.hpp"
#include "loading/loaded_backend.hpp"
#include "placement/kind_table.hpp"
#include "placement/optimized_network.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/thread_places.hpp>
#include <backplane/host/workload_call.hpp>

#include <vector>

namespace backplane {

/// Plans the runs of an optimised network, with what its backends say of working in place.
/// Errors: as PlanExecution; what a backend threw; kWorkloadNotCreated when it names tensors that
/// it has not, or that differ.
ExecutionPlan PlanParts(const OptimizedNetworkParts& parts);

/// Makes what is run in each step of a plan: workloads of the backends, and the core's copies and
/// imports.
/// Errors: DiagnosticException as CreateWorkload.
std::vector<WorkloadCall> CreateSteps(const std::vector<LoadedBackend>& backends,
                                      const BridgedNetwork& network, const KindTable& table,
                                      const ExecutionPlan& plan);

/// The words of crash notes for where runs of a network can be: which layer on which backend, and
/// whose memory is mapped.
NetworkPlaceTexts MakePlaceTexts(const Graph& graph, const ExecutionPlan& plan,
                                 const std::vector<LoadedBackend>& backends,
                                 const KindTable& table);

}  // namespace backplane
