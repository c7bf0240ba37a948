#include "execution/working_memory.hpp"

#include "tensors/tensor_size.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

// Stands for the memory of constants without elements, so that no bound tensor has a null address.
alignas(kTensorAlignmentBytes) unsigned char empty_constant[kTensorAlignmentBytes];

// Constants are bound read-only: the view says so, and nobody writes through the pointer.
MemoryBlock MakeConstantBlock(const PlannedTensor& tensor) {
  MemoryBlock block;
  block.data = tensor.constant_data != nullptr ? const_cast<void*>(tensor.constant_data)
                                               : static_cast<void*>(empty_constant);
  block.source = MemorySource::kMalloc;
  block.size_bytes = tensor.info->GetSizeBytes();
  return block;
}

}  // namespace

WorkingMemory::WorkingMemory(const ExecutionPlan& plan, ArenaSource& arena_source,
                             const std::vector<PluginObject<IWorkloadFactory>>& factories)
    // Never empty, so that tensors without elements have an address too.
    : arena_(arena_source.Allocate(
          std::max(plan.memory.arena_bytes, std::uint64_t{kTensorAlignmentBytes}))),
      marks_(std::max(plan.inputs.size(), plan.outputs.size())) {
  CreateHandles(plan);
  BindHandles(plan);
  CreateStates(factories);
  PrepareArguments(plan);
}

// The kind of handle is decided here, apart from where its memory lies.
void WorkingMemory::CreateHandles(const ExecutionPlan& plan) {
  handles_.reserve(plan.tensors.size());
  for (const PlannedTensor& tensor : plan.tensors) {
    const auto access = tensor.is_constant ? MemoryAccess::kRead : MemoryAccess::kReadWrite;
    handles_.emplace_back(*tensor.info, access);
  }
}

void WorkingMemory::BindHandles(const ExecutionPlan& plan) {
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    const PlannedTensor& tensor = plan.tensors[i];
    const Status status = tensor.is_constant
                              ? handles_[i].Bind(MakeConstantBlock(tensor), 0)
                              : handles_[i].Bind(arena_->Get(), tensor.arena_offset_bytes);
    if (status == Status::kSuccess) continue;
    Diagnostic diagnostic{DiagnosticCode::kOutOfMemory};
    diagnostic.what = "a tensor does not fit the working memory of its network";
    diagnostic.why =
        std::string("binding gave \"") + GetStatusText(status) + "\"; expected success";
    diagnostic.fix = "report this; it is a mistake of Backplane";
    throw DiagnosticException(std::move(diagnostic));
  }
}

void WorkingMemory::CreateStates(const std::vector<PluginObject<IWorkloadFactory>>& factories) {
  for (const PluginObject<IWorkloadFactory>& factory : factories) {
    auto state = factory.Call<&IWorkloadFactory::CreateExecutionState>();
    states_.emplace_back(std::move(state.GetOrThrow()), factory.GetOrigin());
  }
}

void WorkingMemory::PrepareArguments(const ExecutionPlan& plan) {
  operands_.reserve(plan.operands.size());
  for (const std::uint32_t tensor : plan.operands) operands_.push_back(&handles_[tensor]);
  execute_args_.reserve(plan.steps.size());
  for (const PlannedStep& step : plan.steps) {
    ExecuteArgs args;
    args.num_inputs = step.num_inputs;
    args.inputs = operands_.data() + step.first_operand;
    args.outputs = args.inputs + step.num_inputs;
    args.num_outputs = step.num_outputs;
    args.state = states_[step.backend].Share().get();
    execute_args_.push_back(args);
  }
}

}  // namespace backplane
