#include "workload.hpp"

#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"

#include <utility>

namespace backplane {
namespace opencl {
namespace {

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
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    const bool is_constant = args.constants != nullptr && args.constants[index] != nullptr;
    inputs_.push_back({is_constant, args.inputs[index]->GetSizeBytes()});
  }
  for (std::uint32_t index = 0; index < args.num_outputs; ++index) {
    outputs_.push_back({false, args.outputs[index]->GetSizeBytes()});
  }
}

bool Workload::FindPlaces(ITensorHandle* const* handles, const std::vector<Tensor>& tensors,
                          std::vector<BufferPlace>& places) {
  places.resize(tensors.size());
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    if (tensors[index].is_constant) continue;
    if (handles[index] == nullptr) return false;
    places[index] = static_cast<const BufferHandle*>(handles[index])->GetPlace();
    if (places[index].buffer == nullptr && tensors[index].size_bytes != 0) return false;
  }
  return true;
}

bool Workload::FindTensors(const ExecuteArgs& args, RunTensors& tensors) const {
  return args.num_inputs == inputs_.size() && args.num_outputs == outputs_.size() &&
         FindPlaces(args.inputs, inputs_, tensors.inputs) &&
         FindPlaces(args.outputs, outputs_, tensors.outputs);
}

template <typename Visit>
void Workload::VisitHandles(const ExecuteArgs& args, const Visit& visit) const {
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    if (!inputs_[index].is_constant) visit(static_cast<BufferHandle&>(*args.inputs[index]));
  }
  for (std::uint32_t index = 0; index < args.num_outputs; ++index) {
    visit(static_cast<BufferHandle&>(*args.outputs[index]));
  }
}

void Workload::Enqueue(const ExecuteArgs& args, ExecutionState& state,
                       cl_command_queue queue) const {
  WorkState& work = state.GetWork(position_);
  const std::vector<WorkCommand>& commands = work.GetWork().commands;
  VisitHandles(args, [queue](BufferHandle& handle) { handle.GiveToDevice(queue); });
  for (std::size_t index = 0; index < commands.size(); ++index) {
    cl_event event = nullptr;
    work.Enqueue(index, queue, state.IsMeasuring() ? &event : nullptr);
    if (event == nullptr) continue;
    state.GetLane().Add(commands[index].name,
                        Own(event, state.GetDevice().GetLibrary().clReleaseEvent));
  }
  VisitHandles(args, [queue](BufferHandle& handle) { handle.GiveToHost(queue); });
}

Status Workload::Execute(const ExecuteArgs& args) const {
  auto* state = static_cast<ExecutionState*>(args.state);
  if (state == nullptr || state->GetWorkCount() <= position_ ||
      !FindTensors(args, state->GetWork(position_).GetTensors())) {
    return Status::kInvalidArgument;
  }
  const Library& library = state->GetDevice().GetLibrary();
  cl_command_queue queue = state->PrepareQueue();
  try {
    const Status status = state->ComeAfter(args.wait_fences, args.num_wait_fences);
    if (status != Status::kSuccess) return status;
    Enqueue(args, *state, queue);
    // The one place that decides how others learn of the work's end: the host and workloads of this
    // factory by an event.
    if (args.completion != nullptr) {
      *args.completion = state->GiveFence(number_, EnqueueMarker(library, queue));
      Check(library.clFlush(queue), "clFlush");
      return Status::kSuccess;
    }
    Check(library.clFinish(queue), "clFinish");
  } catch (...) {
    // What failed leaves no work behind.
    static_cast<void>(library.clFinish(queue));
    throw;
  }
  return Status::kSuccess;
}

}  // namespace opencl
}  // namespace backplane
