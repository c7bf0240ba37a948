#pragma once

#include "execution/execution_plan.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_progress.hpp"
#include "execution/run_steps.hpp"
#include "graph/graph.hpp"
#include "loading/loaded_backend.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane {

/// The words for where the runs of a network are, and how they ended. Borrows all.
class RunDescriptions {
 public:
  RunDescriptions(const Graph& graph, const ExecutionPlan& plan,
                  const std::vector<LoadedBackend>& backends)
      : graph_(graph), plan_(plan), backends_(backends) {}

  /// Why a run did not succeed.
  /// Null: `limit` of a run without bounds.
  Diagnostic DescribeEnd(const RunOutcome& outcome, const RunLimit* limit) const;

  /// Where a run of this network is.
  RunInProgress DescribePlace(const RunPlace& place, NetworkId id) const;

 private:
  Diagnostic DescribeFailure(const RunOutcome& outcome) const;
  /// The layer that failed, or those among which it is.
  std::string DescribeFailed(const RunOutcome& outcome) const;
  Diagnostic DescribeStop(const RunOutcome& outcome, const RunLimit& limit) const;
  Diagnostic DescribeLeft(const RunOutcome& outcome, const RunLimit& limit) const;
  std::string DescribeStep(std::size_t step) const;
  const std::string& GetBackendId(const PlannedStep& step) const;

  const Graph& graph_;
  const ExecutionPlan& plan_;
  const std::vector<LoadedBackend>& backends_;
};

}  // namespace backplane
