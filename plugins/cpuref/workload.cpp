#include "workload.hpp"

#include "cpu_layers/fences.hpp"
#include "scratch_memory.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuref {
namespace {

using namespace cpu_layers;

/// The tensors of a run, which lie in memory of the CPU.
class MemoryOfARun final : public reference::ITensorMemory {
 public:
  explicit MemoryOfARun(const ExecuteArgs& args) : args_(args) {}

  const void* GetInput(std::uint32_t index) const override {
    return args_.GetInput(index).GetData();
  }
  void* GetOutput(std::uint32_t index) const override { return args_.GetOutput(index).GetData(); }

 private:
  const ExecuteArgs& args_;
};

}  // namespace

Workload::Workload(const Layer& layer, std::unique_ptr<const reference::Kernel> kernel)
    : kernel_(std::move(kernel)),
      scratch_bytes_(kernel_->GetScratchBytes()),
      inputs_(GetSizes(layer.inputs, layer.num_inputs)),
      outputs_(GetSizes(layer.outputs, layer.num_outputs)),
      has_elements_(std::any_of(outputs_.begin(), outputs_.end(),
                                [](const TensorSize& size) { return size.size_bytes > 0; })) {}

Status Workload::Execute(const ExecuteArgs& args) const {
  if (!AreUsable(args.GetInputs(), inputs_) || !AreUsable(args.GetOutputs(), outputs_)) {
    return Status::kInvalidArgument;
  }
  const auto* scratch = static_cast<const ScratchMemory*>(args.GetState());
  if (scratch_bytes_ > (scratch == nullptr ? 0 : scratch->GetSizeBytes())) {
    return Status::kInvalidArgument;
  }
  const Status status = WaitForFences(args.GetWaitFences(), args.GetNumWaitFences());
  if (status != Status::kSuccess) return status;
  if (has_elements_) {
    kernel_->Run(reference::RunTensors(MemoryOfARun(args), args.GetNumInputs(),
                                       scratch == nullptr ? nullptr : scratch->GetData()));
  }
  return Status::kSuccess;
}

}  // namespace cpuref
}  // namespace backplane
