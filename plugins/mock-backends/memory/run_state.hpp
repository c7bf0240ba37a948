#pragma once

#include "job_queue.hpp"

#include <cpuref/scratch_memory.hpp>

namespace memory_mock {

/// What the workloads of one working memory share: where kernels find their operands when these do
/// not lie as kernels want them, and what the kernels themselves keep. One of them runs at a time.
class RunState final : public backplane::IExecutionState {
 public:
  RunState(std::uint64_t operand_bytes, std::unique_ptr<backplane::IExecutionState> of_kernels,
           std::unique_ptr<JobQueue> queue)
      : operands_(operand_bytes), of_kernels_(std::move(of_kernels)), queue_(std::move(queue)) {}

  unsigned char* GetOperandMemory() const { return operands_.GetData(); }
  /// Null: no kernel needs it.
  backplane::IExecutionState* GetKernelState() const { return of_kernels_.get(); }
  /// Null: workloads have finished when they return.
  JobQueue* GetQueue() const { return queue_.get(); }

 private:
  const backplane::cpuref::ScratchMemory operands_;
  const std::unique_ptr<backplane::IExecutionState> of_kernels_;
  const std::unique_ptr<JobQueue> queue_;  // the last, as its jobs use the others
};

}  // namespace memory_mock
