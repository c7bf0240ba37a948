#pragma once

#include "execution/bound_memory.hpp"
#include "execution/core_steps.hpp"
#include "execution/execution_plan.hpp"
#include "execution/fence_plan.hpp"
#include "execution/overlap_finder.hpp"
#include "execution/run_limit.hpp"
#include "execution/run_progress.hpp"
#include "execution/transfer_counters.hpp"
#include "memory/arena_block.hpp"
#include "placement/kind_table.hpp"
#include "tensors/tensor_handle.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/workload_call.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

/// What working memories are made from. Borrowed by each; outlives them.
struct WorkingMemorySources {
  const ExecutionPlan* plan = nullptr;
  const KindTable* table = nullptr;
  const KindObjects* objects = nullptr;
  TransferLedger* ledger = nullptr;
  BindingPlaces places;                                   // of the plan's inputs and outputs
  std::vector<std::unique_ptr<ArenaSource>> arenas;       // for each arena of the plan
  std::vector<PluginObject<IWorkloadFactory>> factories;  // for each backend
  const std::vector<WorkloadCall>* workloads = nullptr;   // for each step of the plan
  const FencePlan* fences = nullptr;                      // null: no step completes by fence
};

/// All that one run at a time needs and changes: memory, handles, the states of the backends, and
/// the arguments of every workload, prepared once.
///
/// Threads: one at a time.
class WorkingMemory {
 public:
  /// Errors: DiagnosticException with kOutOfMemory, kFactoryDisagrees or kBackendThrew.
  explicit WorkingMemory(const WorkingMemorySources& sources);
  WorkingMemory(const WorkingMemory&) = delete;
  WorkingMemory& operator=(const WorkingMemory&) = delete;

  /// The arguments of each step of the plan.
  std::vector<bp_run_args>& GetRunArgs() { return run_args_; }

  /// Tells the steps of a run that begins. Null: it is not bounded.
  void BeginRun(const RunLimit* limit);

  /// Empty when no step completes by fence.
  PendingFences& GetFences() { return fences_; }

  /// Where the run in it is.
  RunProgress& GetProgress() { return *progress_; }
  const RunProgress& GetProgress() const { return *progress_; }

  /// The handle of a tensor of the plan, for the core.
  ITensorHandle& GetHandle(std::uint32_t tensor) const { return *handles_[tensor].ForOthers(); }

  /// What a step reads or writes, an entry of ExecutionPlan::operands, as the core reaches it.
  ITensorHandle& GetOperand(std::uint32_t operand) const { return *core_operands_[operand]; }

  /// The blocks in which tensors lie, as the plan numbers arenas. Null: one that nothing needs.
  const std::vector<std::unique_ptr<ArenaBlock>>& GetArenas() const { return arenas_; }

  /// What the inputs and outputs have to do with memory of the application.
  std::vector<BoundMemory>& GetInputs() { return inputs_; }
  std::vector<BoundMemory>& GetOutputs() { return outputs_; }

  /// Lets the steps, and copies of outputs, use other handles for what lies in the memory of an
  /// input or output, one for each member; the plan's again, for null.
  void UseHandles(const PlannedBinding& binding, const std::vector<TensorHandle>* handles);

  /// What is counted of the inputs and outputs.
  TransferCounters& GetCounters() { return *counters_; }

  /// Room to mark which bindings were given, at least as many as inputs or outputs.
  std::vector<std::uint8_t>& GetMarks() { return marks_; }

  /// Which inputs and outputs of a run lie in the same memory.
  OverlapFinder& GetOverlaps() { return overlaps_; }

 private:
  void AllocateArenas();
  void CreateHandles();
  /// Null: for constants, and the core's own kind.
  const PluginObject<ITensorHandleFactory>* FindFactory(std::uint32_t tensor) const;
  void BindHandles();
  void CreateStates();
  void PrepareArguments();
  /// What a step gets for an operand that has this handle.
  bp_tensor MakeTensor(const WorkloadCall& workload, const PlannedOperand& operand,
                       const TensorHandle& handle) const;
  void PrepareFences();
  std::vector<BoundMemory> PrepareBindings(const std::vector<PlannedBinding>& bindings);

  const WorkingMemorySources& sources_;
  const ExecutionPlan& plan_;
  // In reverse order of destruction: states first, then handles, then the memory below them.
  std::vector<std::unique_ptr<ArenaBlock>> arenas_;
  std::vector<TensorHandle> handles_;
  CoreState core_state_;
  std::vector<PluginObject<IExecutionState>> states_;
  std::vector<bp_tensor> operands_;            // as the steps get them
  std::vector<ITensorHandle*> core_operands_;  // the same, as the core gets them
  std::vector<bp_run_args> run_args_;
  bp_run_info run_ = c_form::Make<bp_run_info>();  // of the run that goes on
  CancellationToken cancellation_;                 // has its stop word
  PendingFences fences_;
  std::vector<BoundMemory> inputs_;
  std::vector<BoundMemory> outputs_;
  TransferLedger::Opened counters_;
  std::vector<std::uint8_t> marks_;
  OverlapFinder overlaps_;
  const std::shared_ptr<RunProgress> progress_ = MakeRunProgress();
};

}  // namespace backplane
