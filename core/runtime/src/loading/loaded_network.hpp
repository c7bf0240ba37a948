#pragma once

#include "execution/execution_plan.hpp"
#include "execution/fence_plan.hpp"
#include "execution/imported_tensors.hpp"
#include "execution/isolated_steps.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_steps.hpp"
#include "execution/run_steps_fenced.hpp"
#include "execution/working_memory_pool.hpp"
#include "loading/left_runs.hpp"
#include "loading/loaded_backend.hpp"
#include "loading/run_descriptions.hpp"
#include "optimization/optimized_network.hpp"
#include "profiling/recorder.hpp"
#include "watching/hang_watch.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace backplane {

/// The bounds of a run, and who names it when it hangs. Borrows both.
struct RunBounds {
  const RunLimit& limit;
  HangWatch& watch;
};

/// An optimised network with its workloads: ready to run.
///
/// Threads: any.
class LoadedNetwork {
 public:
  /// Makes everything that a run needs, the first working memory too.
  /// Errors: DiagnosticException with kWorkloadNotCreated, kBackendThrew or kOutOfMemory.
  LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network, NetworkId id);
  ~LoadedNetwork();
  LoadedNetwork(const LoadedNetwork&) = delete;
  LoadedNetwork& operator=(const LoadedNetwork&) = delete;

  /// From now on, runs are measured. Called before the first run, at most once.
  void StartProfiling(std::shared_ptr<profiling::Recorder> recorder);

  /// As IRuntime::EnqueueWorkload.
  /// Null: without `bounds`, however long it takes.
  Status Run(const InputTensors& inputs, const OutputTensors& outputs, const RunBounds* bounds,
             std::optional<Diagnostic>* failure) noexcept;

  /// Those that go on, and those that were left and whose work goes on.
  std::vector<RunInProgress> GetRunsInProgress() const;

  /// Waits until the work of all runs that were left has finished, at most until `deadline`.
  /// Errors: false when some goes on.
  bool AwaitLeftRuns(RunLimit::Time deadline);

  NetworkId GetId() const { return id_; }
  const std::string& GetName() const { return GetGraph().name; }

  const MemoryReport& GetMemoryReport() const { return plan_.memory; }
  TransferReport GetTransferReport() const;

  /// As IRuntime::ImportTensor.
  ImportedTensorId ImportTensor(BindingKind kind, LayerBindingId binding, const MemoryView& memory);
  /// Errors: false for an id that is not known, or in use.
  bool ReleaseImportedTensor(ImportedTensorId imported);

 private:
  /// A run whose memory goes back at its end, whatever comes.
  Status RunIn(WorkingMemory& memory, const InputTensors& inputs, const OutputTensors& outputs,
               const RunBounds* bounds, std::optional<Diagnostic>* failure) const;
  /// A run that keeps its memory when it is left.
  Status RunLeavable(const InputTensors& inputs, const OutputTensors& outputs,
                     const RunBounds& bounds, std::optional<Diagnostic>* failure);
  Status TellWrongBindings(const InputTensors& inputs, const OutputTensors& outputs,
                           std::optional<Diagnostic>* failure) const;
  Status TellEnd(const RunOutcome& outcome, const RunBounds* bounds,
                 std::optional<Diagnostic>* failure) const;
  MemoryProtection GetProtection() const;
  const Graph& GetGraph() const { return network_->GetParts().network.graph; }
  FencedSteps GetFencedSteps() const {
    return {plan_.steps, fences_, workloads_, sources_.factories};
  }
  RunOutcome Execute(WorkingMemory& memory, const RunBounds* bounds,
                     std::optional<profiling::RunTimer>& timer) const;
  RunOutcome RunWatched(WorkingMemory& memory, const RunBounds& bounds,
                        std::uint64_t* times_ns) const;
  /// Null: the times are not measured; there is no limit.
  RunOutcome RunEach(WorkingMemory& memory, const RunLimit* limit, std::uint64_t* times_ns) const;
  RunDescriptions GetDescriptions() const { return {GetGraph(), plan_, backends_}; }

  const NetworkId id_;
  std::shared_ptr<profiling::Recorder> recorder_;  // null when profiling is off
  std::shared_ptr<profiling::NetworkRecorder> measured_;
  // In reverse order of destruction: the workloads go first.
  std::shared_ptr<const OptimizedNetwork> network_;  // has the constants
  ExecutionPlan plan_;
  IsolatedSteps isolated_;
  FencePlan fences_;
  std::vector<LoadedBackend> backends_;
  NetworkKinds kinds_;
  TransferLedger ledger_;
  WorkingMemorySources sources_;
  std::unique_ptr<ImportedTensors> imported_;
  std::unique_ptr<WorkingMemoryPool> pool_;
  std::vector<PluginObject<IWorkload>> workloads_;  // for each step of the plan
  LeftRuns left_;
};

}  // namespace backplane
