#include "workload_factory.hpp"

#include "cpu_layers/tensors_of_a_run.hpp"
#include "execution/execution_state.hpp"
#include "execution/host_buffers.hpp"
#include "layers/plan_layer.hpp"
#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"
#include "memory/kinds.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "workload.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/tensor_handle_factory_registry.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Copies between a tensor of the device and memory of others, which has an address. It has
/// finished on return: the other memory is reached for no longer.
class TransferWorkload : public IWorkload {
 public:
  enum class Direction { kToDevice, kFromDevice };

  TransferWorkload(const WorkloadArgs& args, Direction direction)
      : direction_(direction), info_(*args.inputs[0]) {}

  /// Errors: kInvalidArgument when tensors, state or fences are not those of the layer;
  /// OpenClError.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  Direction direction_;
  TensorInfo info_;
};

Status TransferWorkload::Execute(const ExecuteArgs& args) const {
  auto* state = static_cast<ExecutionState*>(args.GetState());
  if (state == nullptr || args.GetNumInputs() != 1 || args.GetNumOutputs() != 1) {
    return Status::kInvalidArgument;
  }
  const bool reads = direction_ == Direction::kFromDevice;
  const RunTensor input = args.GetInput(0);
  const RunTensor output = args.GetOutput(0);
  const ITensorHandle* const own = (reads ? input : output).GetHandle();
  const RunTensor others = reads ? output : input;
  const TensorInfo* const info = &info_;
  if (own == nullptr || !cpu_layers::IsUsable(others, cpu_layers::GetSizes(&info, 1)[0])) {
    return Status::kInvalidArgument;
  }
  cl_command_queue queue = state->PrepareQueue();
  const Status status = state->ComeAfter(args.GetWaitFences(), args.GetNumWaitFences());
  const std::uint64_t size_bytes = info_.GetSizeBytes();
  if (status != Status::kSuccess || size_bytes == 0) return status;
  const auto& handle = static_cast<const BufferHandle&>(*own);
  HostBuffers host_buffers(state->GetDevice(), queue);
  const auto use = reads ? HostBuffers::Use::kRead : HostBuffers::Use::kWrite;
  void* const imported = handle.GetImported();
  const BufferPlace place =
      imported == nullptr ? handle.GetPlace() : host_buffers.Wrap(imported, size_bytes, use);
  if (place.buffer == nullptr) return Status::kInvalidArgument;
  const Library& library = state->GetDevice().GetLibrary();
  void* data = others.GetData();
  if (reads) {
    Check(library.clEnqueueReadBuffer(queue, place.buffer, CL_TRUE, place.offset_bytes, size_bytes,
                                      data, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  } else {
    Check(library.clEnqueueWriteBuffer(queue, place.buffer, CL_TRUE, place.offset_bytes, size_bytes,
                                       data, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    host_buffers.GiveBack();
    if (imported != nullptr) Check(library.clFinish(queue), "clFinish");
  }
  return Status::kSuccess;
}

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
