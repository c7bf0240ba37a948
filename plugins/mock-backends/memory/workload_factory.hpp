#pragma once

#include "kernel_work.hpp"
#include "layer_support.hpp"
#include "workload.hpp"

#include <cpuref/workload_factory.hpp>

namespace memory_mock {

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    std::shared_ptr<const Work> work = MakeWork(args);
    most_operand_bytes_ = std::max(most_operand_bytes_, work->GetOperandBytes());
    return std::make_unique<Workload>(args, num_workloads_++, std::move(work));
  }

  std::unique_ptr<backplane::IExecutionState> CreateExecutionState() override {
    const bool is_async = GetScenario().habit == Habit::kHandsOverFences;
    return std::make_unique<RunState>(most_operand_bytes_, kernels_.CreateExecutionState(),
                                      is_async ? std::make_unique<JobQueue>(board_) : nullptr);
  }

  backplane::Status WaitForFence(const backplane::FenceView& fence,
                                 std::uint64_t timeout_ns) override {
    JobBoard::Lock lock(board_->mutex);
    if (fence.kind != backplane::FenceKind::kOpaque || !board_->HasGiven(fence.token)) {
      return backplane::Status::kInvalidArgument;
    }
    const bool has_passed = board_->Await(lock, fence.token, timeout_ns);
    return has_passed ? backplane::Status::kSuccess : backplane::Status::kTimeout;
  }

 private:
  std::shared_ptr<const Work> MakeWork(const backplane::WorkloadArgs& args) {
    backplane::LayerSupportQuery layer;
    layer.layer_type = args.layer_type;
    layer.descriptor = args.descriptor;
    layer.inputs = args.inputs;
    layer.outputs = args.outputs;
    layer.num_inputs = args.num_inputs;
    layer.num_outputs = args.num_outputs;
    if (ComputesItself(layer)) return std::make_shared<OwnWork>(args);
    return std::make_shared<KernelWork>(args, kernels_);
  }

  const std::shared_ptr<JobBoard> board_ = std::make_shared<JobBoard>();
  backplane::cpuref::WorkloadFactory kernels_;
  std::uint64_t most_operand_bytes_ = 0;
  std::uint32_t num_workloads_ = 0;
};

}  // namespace memory_mock
