#pragma once

#include "execution/execution_plan.hpp"
#include "execution/fence_plan.hpp"
#include "execution/imported_tensors.hpp"
#include "execution/run_steps.hpp"
#include "execution/working_memory_pool.hpp"
#include "loading/loaded_backend.hpp"
#include "optimization/optimized_network.hpp"
#include "profiling/recorder.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace backplane {

/// An optimised network with its workloads: ready to run.
///
/// Threads: any.
class LoadedNetwork {
 public:
  /// Makes everything that a run needs, the first working memory too.
  /// Errors: DiagnosticException with kWorkloadNotCreated, kBackendThrew or kOutOfMemory.
  explicit LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network);
  ~LoadedNetwork();
  LoadedNetwork(const LoadedNetwork&) = delete;
  LoadedNetwork& operator=(const LoadedNetwork&) = delete;

  /// From now on, runs are measured. Called before the first run, at most once.
  void StartProfiling(std::shared_ptr<profiling::Recorder> recorder, NetworkId id);

  /// As IRuntime::EnqueueWorkload.
  Status Run(const InputTensors& inputs, const OutputTensors& outputs,
             std::optional<Diagnostic>* failure) noexcept;

  const MemoryReport& GetMemoryReport() const { return plan_.memory; }
  TransferReport GetTransferReport() const;

  /// As IRuntime::ImportTensor.
  ImportedTensorId ImportTensor(BindingKind kind, LayerBindingId binding, const MemoryView& memory);
  /// Errors: false for an id that is not known, or in use.
  bool ReleaseImportedTensor(ImportedTensorId imported);

 private:
  Status RunIn(WorkingMemory& memory, const InputTensors& inputs, const OutputTensors& outputs,
               std::optional<Diagnostic>* failure) const;
  MemoryProtection GetProtection() const;
  const Graph& GetGraph() const { return network_->GetParts().network.graph; }
  RunOutcome Execute(WorkingMemory& memory, std::optional<profiling::RunTimer>& timer) const;
  /// Null: the times are not measured.
  RunOutcome RunEach(WorkingMemory& memory, std::uint64_t* times_ns) const;
  Diagnostic DescribeFailure(const RunOutcome& outcome) const;
  std::string DescribeStepRunner(const PlannedStep& step) const;

  std::shared_ptr<profiling::Recorder> recorder_;  // null when profiling is off
  std::shared_ptr<profiling::NetworkRecorder> measured_;
  // In reverse order of destruction: the workloads go first.
  std::shared_ptr<const OptimizedNetwork> network_;  // has the constants
  ExecutionPlan plan_;
  FencePlan fences_;
  std::vector<LoadedBackend> backends_;
  NetworkKinds kinds_;
  TransferLedger ledger_;
  WorkingMemorySources sources_;
  std::unique_ptr<ImportedTensors> imported_;
  std::unique_ptr<WorkingMemoryPool> pool_;
  std::vector<PluginObject<IWorkload>> workloads_;  // for each step of the plan
};

}  // namespace backplane
