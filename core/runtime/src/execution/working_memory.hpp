#pragma once

#include "execution/execution_plan.hpp"
#include "memory/arena_block.hpp"
#include "tensors/host_tensor_handle.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {

/// All that one run at a time needs and changes: memory, handles, the states of the backends, and
/// the arguments of every workload, prepared once.
///
/// Threads: one at a time.
class WorkingMemory {
 public:
  /// Borrows the plan and the source, which outlive it; `factories` are those of the network's
  /// backends.
  /// Errors: DiagnosticException with kOutOfMemory or kBackendThrew.
  WorkingMemory(const ExecutionPlan& plan, ArenaSource& arena_source,
                const std::vector<PluginObject<IWorkloadFactory>>& factories);
  WorkingMemory(const WorkingMemory&) = delete;
  WorkingMemory& operator=(const WorkingMemory&) = delete;

  /// The arguments of each step of the plan.
  const std::vector<ExecuteArgs>& GetExecuteArgs() const { return execute_args_; }

  /// The memory of a tensor of the plan; never null.
  void* GetData(std::uint32_t tensor) const { return handles_[tensor].GetMemoryView()->data; }

  /// Room to mark which bindings were given, at least as many as inputs or outputs.
  std::vector<std::uint8_t>& GetMarks() { return marks_; }

 private:
  void CreateHandles(const ExecutionPlan& plan);
  void BindHandles(const ExecutionPlan& plan);
  void CreateStates(const std::vector<PluginObject<IWorkloadFactory>>& factories);
  void PrepareArguments(const ExecutionPlan& plan);

  // In reverse order of destruction: states first, then handles, then the memory below them.
  std::unique_ptr<ArenaBlock> arena_;
  std::vector<HostTensorHandle> handles_;
  std::vector<PluginObject<IExecutionState>> states_;
  std::vector<ITensorHandle*> operands_;
  std::vector<ExecuteArgs> execute_args_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace backplane
