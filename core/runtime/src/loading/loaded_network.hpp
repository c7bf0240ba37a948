#pragma once

#include "execution/check_bindings.hpp"
#include "execution/execution_plan.hpp"
#include "execution/fence_plan.hpp"
#include "execution/hang_watch.hpp"
#include "execution/imported_tensors.hpp"
#include "execution/isolated_steps.hpp"
#include "execution/run_checks.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_steps.hpp"
#include "execution/run_steps_fenced.hpp"
#include "execution/working_memory_pool.hpp"
#include "loading/left_runs.hpp"
#include "loading/loaded_backend.hpp"
#include "loading/run_descriptions.hpp"
#include "placement/optimized_network.hpp"
#include "profiling/recorder.hpp"

#include <backplane/host/thread_places.hpp>
#include <backplane/host/workload_call.hpp>
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

/// Records that all plans of one loaded network share.
struct NetworkRecords {
  NetworkId id = 0;
  std::shared_ptr<GivenTensors> given;
  std::shared_ptr<TransferLedger> transfers;
  std::shared_ptr<execution::CheckLedger> checks;
};

/// How a run ended.
struct RunEnd {
  Status status = Status::kSuccess;
  bool is_left = false;         // work of it goes on
  bool has_kept_inputs = true;  // nothing was written over them; else it cannot be repeated
  /// Whose fault it is that it failed. Null: no backend's. As long as the network.
  const std::string* failed_backend = nullptr;
};

/// An optimised network with its workloads: ready to run.
///
/// Threads: any.
class LoadedNetwork {
 public:
  /// Makes everything that a run needs, the first working memory too.
  /// Errors: DiagnosticException with kWorkloadNotCreated, kBackendThrew or kOutOfMemory.
  LoadedNetwork(std::shared_ptr<const OptimizedNetwork> network, NetworkRecords records,
                BindingPlaces places);
  ~LoadedNetwork();
  LoadedNetwork(const LoadedNetwork&) = delete;
  LoadedNetwork& operator=(const LoadedNetwork&) = delete;

  /// From now on, runs are measured. Called before the first run, at most once.
  void StartProfiling(std::shared_ptr<profiling::Recorder> recorder);

  /// From now on, crash notes tell where runs are. Called before the first run, at most once.
  void StartCrashNotes();

  /// From now on, runs are checked. Called before the first run, at most once.
  void StartChecks(CheckFlags checks, const TensorObserver& observer);

  /// As IRuntime::EnqueueWorkload.
  /// Null: without `bounds`, however long it takes.
  RunEnd Run(const InputTensors& inputs, const OutputTensors& outputs, const RunBounds* bounds,
             std::optional<Diagnostic>* failure) noexcept;

  /// A run that ended before its first layer, by what was thrown. Null: without `limit`.
  RunEnd MakeNotBegun(const Diagnostic& thrown, const RunLimit* limit,
                      std::optional<Diagnostic>* failure) const;
  /// The same, when its limit was reached while it waited. `cause` may be null.
  RunEnd MakeStopped(const RunLimit& limit, const Diagnostic* cause,
                     std::optional<Diagnostic>* failure) const;

  /// Those that go on, and those that were left and whose work goes on.
  std::vector<RunInProgress> GetRunsInProgress() const;

  /// Waits until the work of all runs that were left has finished, at most until `deadline`.
  /// Errors: false when some goes on.
  bool AwaitLeftRuns(RunLimit::Time deadline);

  const std::string& GetName() const { return GetGraph().name; }
  const OptimizedNetwork& GetOptimized() const { return *network_; }
  const OptimizedNetworkParts& GetParts() const { return network_->GetParts(); }

  const MemoryReport& GetMemoryReport() const { return plan_.memory; }
  NetworkBindings GetBindings() const;
  /// Whether an output is computed where an input lies, when both are given one memory.
  bool MayOverwriteInput(LayerBindingId output) const {
    return plan_.outputs[output].in_place_with != kNoBinding;
  }
  /// Whether a backend of it runs in a process of its own.
  bool IsIsolated() const { return isolated_.HasAny(); }
  /// Whether the process of a backend has ended, and what the network had in it.
  bool HasLostProcess() const { return IsIsolated() && backplane::HasLostProcess(GetParts()); }

  /// As IRuntime::ImportTensor.
  ImportedTensorId ImportTensor(BindingKind kind, LayerBindingId binding, const MemoryView& memory);
  /// Errors: false for an id that is not known, or in use.
  bool ReleaseImportedTensor(ImportedTensorId imported);

 private:
  /// A run in a working memory. `bindings` are still there when the run is left.
  RunEnd RunIn(WorkingMemory& memory, std::optional<RunBindings>& bindings, RunScope& scope,
               const InputTensors& inputs, const OutputTensors& outputs, const RunBounds* bounds,
               std::optional<Diagnostic>* failure) const;
  RunEnd RunBound(WorkingMemory& memory, RunBindings& bindings, RunScope& scope,
                  const RunBounds* bounds, std::optional<profiling::RunTimer>& timer,
                  execution::RunChecks* checks, std::optional<Diagnostic>* failure) const;
  MemoryProtection GetProtection() const;
  const Graph& GetGraph() const { return network_->GetParts().network.graph; }
  FencedSteps GetFencedSteps() const {
    return {plan_.steps, fences_, workloads_, sources_.factories, &awaited_fences_};
  }
  /// Null: nothing is checked.
  RunOutcome Execute(WorkingMemory& memory, const RunBounds* bounds,
                     std::optional<profiling::RunTimer>& timer, execution::RunChecks* checks) const;
  /// One step after the other, with a look around each.
  RunOutcome RunChecked(WorkingMemory& memory, const RunLimit* limit, profiling::RunTimes* times,
                        execution::RunChecks& checks) const;
  RunOutcome RunRange(StepRange range, WorkingMemory& memory, const RunLimit* limit,
                      profiling::RunTimes* times) const;
  RunDescriptions GetDescriptions() const { return {GetGraph(), plan_, backends_}; }

  const NetworkRecords records_;
  std::shared_ptr<profiling::Recorder> recorder_;  // null when profiling is off
  std::shared_ptr<profiling::NetworkRecorder> measured_;
  // In reverse order of destruction: the workloads go first.
  std::shared_ptr<const OptimizedNetwork> network_;  // has the constants
  ExecutionPlan plan_;
  IsolatedSteps isolated_;
  FencePlan fences_;
  std::vector<FenceKindFlags> awaited_fences_;  // by each backend
  std::vector<LoadedBackend> backends_;
  NetworkKinds kinds_;
  WorkingMemorySources sources_;
  std::unique_ptr<ImportedTensors> imported_;
  std::unique_ptr<WorkingMemoryPool> pool_;
  std::vector<WorkloadCall> workloads_;  // for each step of the plan
  LeftRuns left_;
  std::unique_ptr<execution::NetworkChecks> checks_;  // null when checks are off
  std::unique_ptr<NetworkPlaces> places_;             // null when crash notes are off
};

}  // namespace backplane
