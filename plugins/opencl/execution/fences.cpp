#include "execution/fences.hpp"

#include "library/errors.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

constexpr int kStateBits = 32;  // of a token, above the number of the workload

/// At most so long that clocks can count it.
std::chrono::nanoseconds ToDuration(std::uint64_t timeout_ns) {
  constexpr std::uint64_t kMostNs = std::uint64_t{1} << 60;
  return std::chrono::nanoseconds(std::min(timeout_ns, kMostNs));
}

/// A negative status is the error with which the work ended.
void CheckOutcome(cl_int status) {
  if (status < 0) throw OpenClError("the work behind a fence", status);
}

}  // namespace

void StateFences::Give(std::uint32_t workload, Owned<cl_event> event, cl_command_queue queue) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fences_[workload] = {std::move(event), queue};
}

std::optional<EventFence> StateFences::FindFence(std::uint32_t workload) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = fences_.find(workload);
  if (found == fences_.end()) return std::nullopt;
  return found->second;
}

Owned<cl_event> StateFences::Find(std::uint32_t workload) const {
  const auto fence = FindFence(workload);
  return fence ? fence->event : nullptr;
}

bool StateFences::HasPassed(cl_event event) const {
  cl_int status = CL_QUEUED;
  Check(library_.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                                nullptr),
        "clGetEventInfo");
  CheckOutcome(status);
  if (status != CL_COMPLETE) return false;
  // To ask is not to synchronise: memory is sure to hold what was written only after a wait.
  Check(library_.clWaitForEvents(1, &event), "clWaitForEvents");
  return true;
}

Status StateFences::Wait(std::uint32_t workload, std::uint64_t timeout_ns) {
  const auto fence = FindFence(workload);
  if (!fence) return Status::kInvalidArgument;
  const cl_event event = fence->event.get();
  if (HasPassed(event)) return Status::kSuccess;
  // A command that was not given to the device would never finish.
  Check(library_.clFlush(fence->queue), "clFlush");
  if (timeout_ns == kNoTimeout) {
    static_cast<void>(library_.clWaitForEvents(1, &event));
  } else if (timeout_ns == 0 || !watch_.Await(fence->event, ToDuration(timeout_ns))) {
    return Status::kTimeout;
  }
  return HasPassed(event) ? Status::kSuccess : Status::kFailure;
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
  return found == states_.end() ? nullptr : found->second;
}

}  // namespace opencl
}  // namespace backplane
