#pragma once

#include "execution/check_bindings.hpp"
#include "loading/growing_tensors.hpp"
#include "loading/network_fallback.hpp"
#include "loading/plan_tree.hpp"
#include "loading/stage_memory.hpp"
#include "placement/open_network.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/plan_report.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// A loaded network with its plans. One with fixed shapes has one plan, which is made when it is
/// loaded. Of the others, plans are made when runs need them, and kept.
///
/// Threads: any.
class PlannedNetwork {
 public:
  /// Makes the plan of a network with fixed shapes, or those that were announced.
  /// Errors: DiagnosticException as IRuntime::LoadNetwork.
  PlannedNetwork(std::shared_ptr<const IOptimizedNetwork> network, const NetworkLoader& loader);

  NetworkId GetId() const { return records_.id; }
  const std::string& GetName() const { return bindings_.network; }

  /// As IRuntime::EnqueueWorkload.
  /// Null: without `bounds`, however long it takes.
  Status Run(const InputTensors& inputs, const OutputTensors& outputs, const RunBounds* bounds,
             std::optional<Diagnostic>* failure) noexcept;

  /// Lets go of all plans. No run is in it.
  void Unload();

  /// Waits until the work of all runs that were left has finished, at most until `deadline`.
  /// Errors: false when some goes on.
  bool AwaitLeftRuns(RunLimit::Time deadline) const;

  std::vector<RunInProgress> GetRunsInProgress() const;

  /// As IRuntime::ImportTensor. Errors: also kImportRefused when plans are made for each run.
  ImportedTensorId ImportTensor(BindingKind kind, LayerBindingId binding, const MemoryView& memory);
  /// Errors: false for an id that is not known, or in use.
  bool ReleaseImportedTensor(ImportedTensorId imported);

  // Of all plans together.
  MemoryReport GetMemoryReport() const;
  TransferReport GetTransferReport() const { return records_.transfers->GetReport(); }
  CheckReport GetCheckReport() const { return records_.checks->GetReport(); }
  FallbackReport GetFallbackReport() const;
  /// Empty for a network with fixed shapes.
  std::vector<PlanReport> GetPlanReports() const;

 private:
  /// The plans of the network for growing tensors.
  struct GrowingTree {
    std::vector<loading::GrowingTensor> tensors;
    std::shared_ptr<loading::PlanTree> tree;  // null: the network cannot be run so
  };

  void LoadFixed(std::shared_ptr<const OptimizedNetwork> network);
  void PlanAnnounced();
  std::shared_ptr<loading::Plan> MakePlan(loading::PlanTree& tree,
                                          const std::vector<StageValue>* inputs,
                                          const loading::MakeStage& make);
  std::shared_ptr<loading::Plan> MakeForeseen(loading::PlanTree& tree,
                                              const std::vector<StageValue>& inputs);
  void Load(std::shared_ptr<const OptimizedNetwork> network, const loading::PlanTree& tree,
            loading::Plan& plan);
  bool IsFixed() const { return tree_->fixed != nullptr; }
  Status RunStaged(const InputTensors& inputs, const OutputTensors& outputs,
                   const RunBounds* bounds);
  /// How a run ended of which this was thrown.
  Status TellFailure(const Diagnostic& thrown, const RunBounds* bounds,
                     std::optional<Diagnostic>* failure) const;
  void RunInMemory(const InputTensors& inputs, const OutputTensors& outputs,
                   const RunBounds* bounds);
  void RunTree(loading::PlanTree& tree, const InputTensors& inputs, const OutputTensors& outputs,
               const RunBounds* bounds);
  /// Null: the network cannot be run so.
  std::shared_ptr<loading::PlanTree> FindGrowingTree(
      const std::vector<loading::GrowingTensor>& tensors);
  void RefuseGrowing(const std::shared_ptr<loading::PlanTree>& tree);
  std::vector<std::shared_ptr<loading::Plan>> GetPlans() const;
  template <typename Visit>
  void ForEachLoaded(const Visit& visit) const;
  void AddStages(const loading::Plan& plan, PlanReport& report) const;

  const std::shared_ptr<const OpenNetwork> open_;  // null: it has fixed shapes
  const NetworkLoader loader_;
  const NetworkBindings bindings_;
  const NetworkRecords records_;
  const std::unique_ptr<NetworkFallback> fallback_;  // null with FailurePolicy::kFail
  const std::shared_ptr<loading::StageMemory> memory_ = std::make_shared<loading::StageMemory>();
  PlacedExamples examples_;
  loading::PlanTrees trees_;
  std::shared_ptr<loading::PlanTree> tree_;
  std::mutex growing_mutex_;
  std::vector<GrowingTree> growing_;  // the latest is the last
};

}  // namespace backplane
