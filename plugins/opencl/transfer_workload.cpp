#include "transfer_workload.hpp"

#include "cpu_layers/tensors_of_a_run.hpp"
#include "execution/execution_state.hpp"
#include "execution/host_buffers.hpp"
#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"

#include <cstdint>

namespace backplane {
namespace opencl {

TransferWorkload::TransferWorkload(const WorkloadArgs& args, Direction direction)
    : direction_(direction), info_(*args.inputs[0]) {}

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

}  // namespace opencl
}  // namespace backplane
