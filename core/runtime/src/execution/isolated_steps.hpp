// Which steps of a plan are run in other processes.
#pragma once

#include "execution/execution_plan.hpp"
#include "placement/kind_table.hpp"

#include <backplane/host/isolation.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// The processes of isolated backends, and the steps that they run.
struct IsolatedSteps {
  /// For each backend of the plan; null: it runs in this process.
  std::vector<std::shared_ptr<IsolatedProcess>> processes;
  /// For each step; null: it runs in this process.
  std::vector<IsolatedProcess*> of_step;

  bool HasAny() const { return !of_step.empty(); }
};

/// Finds them, and says of which inputs and outputs the memory must be shared with them.
IsolatedSteps FindIsolatedSteps(std::vector<std::shared_ptr<IsolatedProcess>> processes,
                                const KindTable& table, ExecutionPlan& plan);

}  // namespace backplane
