#include "workload.hpp"

#include "cpu_layers/tensors_of_a_run.hpp"
#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"
#include "memory/kinds.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

constexpr std::size_t kCommandsOfFlush = 16;

/// The event behind all commands that are in the queue.
Owned<cl_event> EnqueueMarker(const Library& library, cl_command_queue queue) {
  cl_event event = nullptr;
  Check(library.clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event),
        "clEnqueueMarkerWithWaitList");
  return Own(event, library.clReleaseEvent);
}

}  // namespace

Workload::Workload(const WorkloadArgs& args, std::uint32_t number, std::size_t position)
    : number_(number), position_(position) {
  const auto describe = [](const TensorInfo& info, const char* const* factories,
                           std::uint32_t index) {
    const bool is_own = factories != nullptr && IsOwnKind(factories[index]);
    return Tensor{is_own ? Where::kInBuffer : Where::kOnHost, info.GetSizeBytes(),
                  GetDataTypeSizeBytes(info.data_type)};
  };
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    inputs_.push_back(describe(*args.inputs[index], args.input_factories, index));
    const bool is_constant = args.constants != nullptr && args.constants[index] != nullptr;
    if (is_constant) inputs_.back().where = Where::kOnDevice;
  }
  for (std::uint32_t index = 0; index < args.num_outputs; ++index) {
    outputs_.push_back(describe(*args.outputs[index], args.output_factories, index));
  }
}

bool Workload::FindPlaces(RunTensorList run, const std::vector<Tensor>& tensors,
                          HostBuffers::Use use, HostBuffers& host_buffers,
                          std::vector<BufferPlace>& places) {
  places.resize(tensors.size());
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    const Tensor& tensor = tensors[index];
    if (tensor.where == Where::kOnDevice) continue;
    if (tensor.where == Where::kInBuffer) {
      const ITensorHandle* const handle = run[index].GetHandle();
      if (handle == nullptr) return false;
      const auto& own = static_cast<const BufferHandle&>(*handle);
      void* const imported = own.GetImported();
      places[index] = imported == nullptr ? own.GetPlace()
                                          : host_buffers.Wrap(imported, tensor.size_bytes, use);
    } else if (!cpu_layers::IsUsable(run[index], {tensor.size_bytes, tensor.element_bytes})) {
      return false;
    } else if (tensor.size_bytes != 0) {
      places[index] = host_buffers.Wrap(run[index].GetData(), tensor.size_bytes, use);
    }
    if (places[index].buffer == nullptr && tensor.size_bytes != 0) return false;
  }
  return true;
}

bool Workload::Enqueue(ExecutionState& state, cl_command_queue queue,
                       const cpu_layers::RunEnd& end) const {
  if (end.HasCome()) return false;
  WorkState& work = state.GetWork(position_);
  const std::vector<WorkCommand>& commands = work.GetWork().commands;
  const Library& library = state.GetDevice().GetLibrary();
  for (std::size_t index = 0; index < commands.size(); ++index) {
    // The device begins before all is enqueued.
    if (index % kCommandsOfFlush == 1) Check(library.clFlush(queue), "clFlush");
    if (end.CanCome() && index != 0 && index % kCommandsOfFlush == 0) {
      Check(library.clFinish(queue), "clFinish");
      if (end.HasCome()) return false;
    }
    cl_event event = nullptr;
    work.Enqueue(index, queue, state.IsMeasuring() ? &event : nullptr);
    if (event == nullptr) continue;
    state.GetLane().Add(commands[index].name, Own(event, library.clReleaseEvent));
  }
  return true;
}

Status Workload::Run(const ExecuteArgs& args, ExecutionState& state, cl_command_queue queue) const {
  const Status status = state.ComeAfter(args.GetWaitFences(), args.GetNumWaitFences());
  if (status != Status::kSuccess) return status;
  const Library& library = state.GetDevice().GetLibrary();
  HostBuffers host_buffers(state.GetDevice(), queue);
  RunTensors& tensors = state.GetWork(position_).GetTensors();
  if (!FindPlaces(args.GetInputs(), inputs_, HostBuffers::Use::kRead, host_buffers,
                  tensors.inputs) ||
      !FindPlaces(args.GetOutputs(), outputs_, HostBuffers::Use::kWrite, host_buffers,
                  tensors.outputs)) {
    return Status::kInvalidArgument;
  }
  const WorkState& work = state.GetWork(position_);
  if (work.ReadsIndices()) work.ExpectIndices(queue);
  // The host waits for a fence that it is given, until the run is to end.
  const auto end =
      args.GetCompletion() == nullptr ? cpu_layers::RunEnd(args) : cpu_layers::RunEnd();
  const bool is_enqueued = Enqueue(state, queue, end);
  host_buffers.GiveBack();
  if (!is_enqueued) {
    Check(library.clFinish(queue), "clFinish");
    return Status::kCancelled;
  }
  if (work.ReadsIndices()) {
    work.CheckIndices(queue);
  } else if (FenceView* const completion = args.GetCompletion()) {
    *completion =
        state.GiveFence(number_, EnqueueMarker(library, queue), args.GetCompletionKinds());
    Check(library.clFlush(queue), "clFlush");
  } else {
    Check(library.clFinish(queue), "clFinish");
  }
  return Status::kSuccess;
}

Status Workload::Execute(const ExecuteArgs& args) const {
  auto* state = static_cast<ExecutionState*>(args.GetState());
  if (state == nullptr || state->GetWorkCount() <= position_ ||
      args.GetNumInputs() != inputs_.size() || args.GetNumOutputs() != outputs_.size()) {
    return Status::kInvalidArgument;
  }
  cl_command_queue queue = state->PrepareQueue();
  // What fails leaves no work behind.
  const auto finish = [state, queue] {
    static_cast<void>(state->GetDevice().GetLibrary().clFinish(queue));
  };
  try {
    return Run(args, *state, queue);
  } catch (const OpenClError& error) {
    finish();
    state->GetDevice().NoteError(error.GetError());
    throw;
  } catch (...) {
    finish();
    throw;
  }
}

}  // namespace opencl
}  // namespace backplane
