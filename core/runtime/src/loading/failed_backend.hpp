#pragma once

#include "execution/execution_plan.hpp"
#include "execution/run_steps.hpp"
#include "graph/graph.hpp"
#include "loading/loaded_backend.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane {

/// Whether a run ended because the layer got a value that it cannot have.
bool IsValueRefused(const RunOutcome& outcome, const Layer& layer);

/// Whose fault it is that a run did not succeed.
/// Null: no backend's, or the run was ended: by its deadline, by being cancelled, or left.
/// Ownership: that of the backends.
const std::string* FindFailedBackend(const RunOutcome& outcome, const Graph& graph,
                                     const ExecutionPlan& plan,
                                     const std::vector<LoadedBackend>& backends);

/// Whose fault it is that a run could not begin, by what was thrown.
/// Null: no backend's. A lack of memory, allocators of the application and forks are never a
/// backend's fault.
/// Ownership: that of the backends.
const std::string* FindFailedBackend(const Diagnostic& thrown,
                                     const std::vector<LoadedBackend>& backends);

}  // namespace backplane
