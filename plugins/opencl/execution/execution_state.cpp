#include "execution/execution_state.hpp"

#include "library/errors.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Queues are numbered over the process: several networks may be run at once.
std::string MakeLane(const Device& device) {
  static std::atomic<std::uint32_t> count{0};
  return device.name + " queue " + std::to_string(++count);
}

std::uint64_t GetStateBytes(const std::vector<std::shared_ptr<const Work>>& works) {
  std::uint64_t most = 0;
  for (const auto& work : works) most = std::max(most, work->state_bytes);
  return most;
}

}  // namespace

ExecutionState::ExecutionState(std::shared_ptr<DeviceContext> device,
                               const std::vector<std::shared_ptr<const Work>>& works,
                               std::shared_ptr<FactoryFences> fences, const Options& options)
    : device_(std::move(device)),
      fences_(std::move(fences)),
      is_profiling_(options.profiling),
      priority_(options.queue_priority),
      state_fences_(
          std::make_shared<StateFences>(device_->GetLibrary(), MakeLane(device_->GetDevice()))),
      memory_(device_->CreateBuffer(CL_MEM_READ_WRITE, GetStateBytes(works))),
      queue_(device_->CreateQueue(0, priority_)),
      waited_for_(device_->GetLibrary()),
      given_(device_->GetLibrary()) {
  for (const auto& work : works) {
    works_.push_back(std::make_unique<WorkState>(*device_, work, memory_.get()));
  }
  number_ = fences_->Add(state_fences_);
}

ExecutionState::~ExecutionState() noexcept {
  static_cast<void>(device_->GetLibrary().clFinish(queue_.get()));
  state_fences_->GetLane().Report(device_->GetTimeline().Get());
  fences_->Remove(number_);
}

cl_command_queue ExecutionState::PrepareQueue() {
  device_->GetLibrary().RequireSameProcess();
  IBackendProfiling* const profiling = device_->GetTimeline().Get();
  state_fences_->GetLane().Report(profiling);
  const bool measures = is_profiling_ && profiling != nullptr;
  if (measures == is_measuring_) return queue_.get();
  // Two queues know nothing of each other's order.
  Check(device_->GetLibrary().clFinish(queue_.get()), "clFinish");
  queue_ = device_->CreateQueue(measures ? CL_QUEUE_PROFILING_ENABLE : 0, priority_);
  is_measuring_ = measures;
  return queue_.get();
}

/// What stands in this queue comes before anyway.
bool ExecutionState::IsOfThisQueue(const FenceView& fence) const {
  if (FactoryFences::GetStateNumber(fence) != number_) return false;
  // Others may have any token.
  return fence.kind == FenceKind::kOpaque ||
         fence.file_descriptor == given_.Find(FactoryFences::GetWorkload(fence));
}

/// The event that stands for a fence. Null: there is nothing to wait for.
Status ExecutionState::FindEvent(const FenceView& fence, Owned<cl_event>& event) {
  event = nullptr;
  if (fence.kind == FenceKind::kNone || IsOfThisQueue(fence)) return Status::kSuccess;
  if (fence.kind != FenceKind::kOpaque) {
    return waited_for_.Make(device_->GetContext(), fence.file_descriptor, event);
  }
  const auto state = fences_->Find(fence);
  if (state != nullptr) event = state->Find(FactoryFences::GetWorkload(fence));
  return event != nullptr ? Status::kSuccess : Status::kInvalidArgument;
}

Status ExecutionState::ComeAfter(const FenceView* fences, std::uint32_t count) {
  for (std::uint32_t index = 0; index < count; ++index) {
    Owned<cl_event> event;
    const Status status = FindEvent(fences[index], event);
    if (status != Status::kSuccess) return status;
    if (event == nullptr) continue;
    const cl_event waited = event.get();
    Check(device_->GetLibrary().clEnqueueBarrierWithWaitList(queue_.get(), 1, &waited, nullptr),
          "clEnqueueBarrierWithWaitList");
  }
  return Status::kSuccess;
}

FenceView ExecutionState::GiveFence(std::uint32_t workload, Owned<cl_event> event,
                                    FenceKindFlags kinds) {
  FenceView fence = FactoryFences::MakeFence(number_, workload);
  state_fences_->Give(workload, event, queue_.get());
  const bool takes_opaque = kinds == 0 || (kinds & ToFlags(FenceKind::kOpaque)) != 0;
  if (takes_opaque || (kinds & ToFlags(FenceKind::kEventFd)) == 0) return fence;
  fence.kind = FenceKind::kEventFd;
  fence.file_descriptor = given_.Give(workload, std::move(event));
  return fence;
}

}  // namespace opencl
}  // namespace backplane
