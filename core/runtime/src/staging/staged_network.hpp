#pragma once

#include "execution/run_limit.hpp"
#include "staging/open_network.hpp"
#include "staging/plan_trees.hpp"
#include "staging/stage_memory.hpp"
#include "staging/staged_run.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/plan_report.hpp>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace backplane {

/// A network of which plans are made when it runs.
///
/// Threads: any.
class StagedNetwork {
 public:
  /// Makes the plans that were announced.
  /// Errors: DiagnosticException as PlanTree::FindFirst.
  StagedNetwork(std::shared_ptr<const OpenNetwork> network, NetworkId id,
                staging::StageLoader loader);

  NetworkId GetId() const { return id_; }
  const std::string& GetName() const { return network_->GetSource()->GetName(); }

  /// As IRuntime::EnqueueWorkload. Null: without a limit, however long it takes.
  Status Run(const InputTensors& inputs, const OutputTensors& outputs,
             const staging::StageExecutor& execute, const RunLimit* limit,
             std::optional<Diagnostic>* failure) noexcept;

  /// Waits until no run is in it, and lets go of all plans. Runs that begin later are refused.
  /// Errors: false when some are in it at the deadline; it is as before then.
  bool Close(RunLimit::Time deadline);

  /// Calls `visit` with each plan that is kept, also those within loops and branches.
  template <typename Visit>
  void ForEachPlan(const Visit& visit) const {
    for (const auto& tree : trees_.GetAll()) {
      for (const auto& plan : tree->GetFirst()) VisitAll(*tree, *plan, visit);
    }
  }

  const OpenNetwork& GetNetwork() const { return *network_; }
  std::vector<std::shared_ptr<staging::Plan>> GetFirstPlans() const { return tree_->GetFirst(); }
  std::vector<std::shared_ptr<staging::Plan>> GetNext(const staging::Plan& plan) const {
    return tree_->GetNext(plan);
  }

 private:
  template <typename Visit>
  static void VisitAll(const staging::PlanTree& tree, const staging::Plan& plan,
                       const Visit& visit) {
    visit(plan);
    for (const auto& next : tree.GetNext(plan)) VisitAll(tree, *next, visit);
  }

  bool Begin();
  void End();
  Status RunBegun(const InputTensors& inputs, const OutputTensors& outputs,
                  const staging::StagedRunParts& parts, std::optional<Diagnostic>* failure);

  const std::shared_ptr<const OpenNetwork> network_;
  const NetworkId id_;
  const std::vector<OpenBinding> inputs_;
  const std::vector<OpenBinding> outputs_;
  staging::PlanTrees trees_;
  const std::shared_ptr<staging::PlanTree> tree_;
  const std::shared_ptr<staging::StageMemory> memory_ = std::make_shared<staging::StageMemory>();
  std::mutex mutex_;
  std::condition_variable became_idle_;
  std::uint32_t num_runs_ = 0;
  bool is_closed_ = false;
};

}  // namespace backplane
