#include "execution/fences.hpp"

#include "library/errors.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

constexpr int kStateBits = 32;  // of a token, above the number of the workload

void CL_CALLBACK Pass(cl_event /*event*/, cl_int status, void* data) {
  const std::unique_ptr<std::shared_ptr<EventSignal>> held(
      static_cast<std::shared_ptr<EventSignal>*>(data));
  EventSignal& signal = **held;
  const std::lock_guard<std::mutex> lock(signal.mutex);
  signal.has_passed = true;
  signal.status = status;
  signal.has_changed.notify_all();
}

void AwaitSignal(EventSignal& signal) {
  std::unique_lock<std::mutex> lock(signal.mutex);
  signal.has_changed.wait(lock, [&signal] { return signal.has_passed; });
}

/// A negative status is the error with which the work ended.
void CheckOutcome(cl_int status) {
  if (status < 0) throw OpenClError("the work behind a fence", status);
}

}  // namespace

StateFences::~StateFences() {
  // The driver may still be about to tell, and calls code that could be unloaded.
  for (auto& [workload, fence] : fences_) {
    if (fence.signal != nullptr) AwaitSignal(*fence.signal);
  }
}

void StateFences::Give(std::uint32_t workload, Owned<cl_event> event, cl_command_queue queue) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EventFence& fence = fences_[workload];
  if (fence.signal != nullptr) AwaitSignal(*fence.signal);
  fence = {std::move(event), queue, nullptr};
}

Owned<cl_event> StateFences::Find(std::uint32_t workload) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = fences_.find(workload);
  return found == fences_.end() ? nullptr : found->second.event;
}

std::shared_ptr<EventSignal> StateFences::GetSignal(EventFence& fence) const {
  if (fence.signal != nullptr) return fence.signal;
  auto signal = std::make_shared<EventSignal>();
  auto held = std::make_unique<std::shared_ptr<EventSignal>>(signal);
  Check(library_.clSetEventCallback(fence.event.get(), CL_COMPLETE, Pass, held.get()),
        "clSetEventCallback");
  static_cast<void>(held.release());  // Pass has it now
  fence.signal = signal;
  // A command that was not given to the device would never finish.
  Check(library_.clFlush(fence.queue), "clFlush");
  return signal;
}

Status StateFences::Wait(std::uint32_t workload, std::uint64_t timeout_ns) {
  std::shared_ptr<EventSignal> signal;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = fences_.find(workload);
    if (found == fences_.end()) return Status::kInvalidArgument;
    cl_int status = CL_QUEUED;
    Check(library_.clGetEventInfo(found->second.event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                  sizeof(status), &status, nullptr),
          "clGetEventInfo");
    CheckOutcome(status);
    if (status == CL_COMPLETE) return Status::kSuccess;
    if (timeout_ns == 0) return Status::kTimeout;
    signal = GetSignal(found->second);
  }
  // Longer than the clock can count is for ever.
  constexpr std::uint64_t kMostNs = std::uint64_t{1} << 60;
  std::unique_lock<std::mutex> lock(signal->mutex);
  const bool has_passed =
      signal->has_changed.wait_for(lock, std::chrono::nanoseconds(std::min(timeout_ns, kMostNs)),
                                   [&signal] { return signal->has_passed; });
  if (!has_passed) return Status::kTimeout;
  CheckOutcome(signal->status);
  return Status::kSuccess;
}

std::uint32_t FactoryFences::Add(std::shared_ptr<StateFences> state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_[++last_] = std::move(state);
  return last_;
}

void FactoryFences::Remove(std::uint32_t state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_.erase(state);
}

FenceView FactoryFences::MakeFence(std::uint32_t state, std::uint32_t workload) {
  FenceView fence;
  fence.kind = FenceKind::kOpaque;
  fence.token = static_cast<std::uint64_t>(state) << kStateBits | workload;
  return fence;
}

std::uint32_t FactoryFences::GetStateNumber(const FenceView& fence) {
  return static_cast<std::uint32_t>(fence.token >> kStateBits);
}

std::uint32_t FactoryFences::GetWorkload(const FenceView& fence) {
  return static_cast<std::uint32_t>(fence.token);
}

std::shared_ptr<StateFences> FactoryFences::Find(const FenceView& fence) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = states_.find(GetStateNumber(fence));
  return fence.kind != FenceKind::kOpaque || found == states_.end() ? nullptr : found->second;
}

}  // namespace opencl
}  // namespace backplane
