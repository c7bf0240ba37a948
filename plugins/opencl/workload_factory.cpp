#include "workload_factory.hpp"

#include "execution/execution_state.hpp"
#include "layers/plan_layer.hpp"
#include "library/errors.hpp"
#include "memory/kinds.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "transfer_workload.hpp"
#include "workload.hpp"

#include <backplane/api/tensor_handle_factory_registry.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Copies between kinds of tensor memory are no layers of a network, and never refused.
bool IsCopy(const WorkloadArgs& args) {
  return args.layer_type == LayerType::kCopy && args.num_inputs == 1 && args.num_outputs == 1;
}

/// Null: `factories`, where nobody says; tensors lie in memory of the host then.
const char* GetKind(const char* const* factories, std::uint32_t index) {
  return factories != nullptr ? factories[index] : kHostTensorHandleFactoryId;
}

/// Workloads take handles of the backend for BufferHandles, and wrap memory of the host where the
/// device shares it.
void RequireKnownKind(const char* const* factories, std::uint32_t index, const char* what,
                      const Device& device) {
  const std::string id = GetKind(factories, index);
  if (IsOwnKind(id.c_str())) return;
  if (id == kHostTensorHandleFactoryId && device.has_unified_memory) return;
  throw std::invalid_argument(Text(what, " ", index, " lies in memory of \"", id,
                                   "\", which kernels on \"", device.name, "\" cannot reach"));
}

void RequireKnownKinds(const WorkloadArgs& args, const Device& device) {
  for (std::uint32_t i = 0; i < args.num_inputs; ++i) {
    const bool is_constant = args.constants != nullptr && args.constants[i] != nullptr;
    if (!is_constant) RequireKnownKind(args.input_factories, i, "input", device);
  }
  for (std::uint32_t i = 0; i < args.num_outputs; ++i) {
    RequireKnownKind(args.output_factories, i, "output", device);
  }
}

WorkPlan MakePlan(const WorkloadArgs& args, const ModelContext& model) {
  if (args.layer_type != LayerType::kPreCompiled) return PlanLayer(args, model);
  return static_cast<const CompiledSubgraph&>(*args.pre_compiled).GetPlan();
}

}  // namespace

WorkloadFactory::WorkloadFactory(std::shared_ptr<const ModelContext> model)
    : model_(std::move(model)), constants_(model_->device) {}

std::unique_ptr<IWorkload> WorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  const std::uint32_t number = num_workloads_++;
  if (IsCopy(args) && !IsOwnKind(GetKind(args.output_factories, 0))) {
    return std::make_unique<TransferWorkload>(args, TransferWorkload::Direction::kFromDevice);
  }
  if (IsCopy(args) && !IsOwnKind(GetKind(args.input_factories, 0))) {
    return std::make_unique<TransferWorkload>(args, TransferWorkload::Direction::kToDevice);
  }
  RequireKnownKinds(args, model_->device->GetDevice());
  works_.push_back(
      MakeWork(MakePlan(args, *model_), *model_->device, constants_, model_->options.kernel_cache));
  return std::make_unique<Workload>(args, number, works_.size() - 1);
}

std::unique_ptr<IExecutionState> WorkloadFactory::CreateExecutionState() {
  return std::make_unique<ExecutionState>(model_->device, works_, fences_, model_->options);
}

Status WorkloadFactory::WaitForFence(const FenceView& fence, std::uint64_t timeout_ns) {
  const std::shared_ptr<StateFences> state = fences_->Find(fence);
  if (state == nullptr) return Status::kInvalidArgument;
  try {
    const Status status = state->Wait(FactoryFences::GetWorkload(fence), timeout_ns);
    if (status == Status::kSuccess) state->GetLane().Report(model_->device->GetTimeline().Get());
    return status;
  } catch (const OpenClError& error) {
    model_->device->NoteError(error.GetError());
    throw;
  }
}

}  // namespace opencl
}  // namespace backplane
