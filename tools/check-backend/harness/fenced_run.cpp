#include "harness/fenced_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace backplane::check_backend {
namespace {

constexpr std::chrono::milliseconds kLinger{30};
// Much longer than the work takes; whoever waits longer is stopped from outside.
constexpr std::chrono::seconds kPatience{10};

bool IsReadable(int descriptor, int timeout_ms) {
  pollfd request{descriptor, POLLIN, 0};
  if (poll(&request, 1, timeout_ms) < 1) return false;
  if ((request.revents & POLLIN) != 0) return true;
  throw std::runtime_error("poll does not wait for the file descriptor " +
                           std::to_string(descriptor) + " of a fence");
}

}  // namespace

Event::Event() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Event::~Event() {
  close(descriptor_);
}

void Event::Give() const {
  const std::uint64_t one = 1;
  static_cast<void>(write(descriptor_, &one, sizeof(one)) == sizeof(one));
}

bool Event::HasPassed() const {
  return IsReadable(descriptor_, 0);
}

std::string DescribeFence(const FenceView& fence) {
  switch (fence.kind) {
    case FenceKind::kNone:
      return "kNone";
    case FenceKind::kSyncFile:
      return "kSyncFile (file descriptor " + std::to_string(fence.file_descriptor) + ")";
    case FenceKind::kEventFd:
      return "kEventFd (file descriptor " + std::to_string(fence.file_descriptor) + ")";
    case FenceKind::kOpaque:
      return "kOpaque (token " + std::to_string(fence.token) + ")";
  }
  return "the kind " + std::to_string(static_cast<std::uint32_t>(fence.kind));
}

std::string FindFenceFault(const FenceView& fence) {
  switch (fence.kind) {
    case FenceKind::kNone:
    case FenceKind::kOpaque:
      return "";
    case FenceKind::kSyncFile:
    case FenceKind::kEventFd:
      return fcntl(fence.file_descriptor, F_GETFD) < 0
                 ? "a fence of " + DescribeFence(fence) + ", which is not open"
                 : "";
  }
  return "a fence of " + DescribeFence(fence);
}

namespace {

/// Of a fence that has passed; what it failed with leaves this. Errors: std::runtime_error.
void AskForOutcome(IWorkloadFactory& factory, const FenceView& fence) {
  if (fence.token == 0) return;
  const Status status = factory.WaitForFence(fence, 0);
  if (status == Status::kSuccess) return;
  throw std::runtime_error(
      "WaitForFence with a fence of the factory, a descriptor that is readable and has the token " +
      std::to_string(fence.token) + ", returned " + DescribeStatus(status));
}

FenceKindFlags GetKinds(Completion completion) {
  constexpr FenceKindFlags kOpen = ToFlags(FenceKind::kSyncFile) | ToFlags(FenceKind::kEventFd);
  if (completion == Completion::kOfAnyKind) return kOpen | ToFlags(FenceKind::kOpaque);
  return completion == Completion::kOfOpenKinds ? kOpen : 0;
}

}  // namespace

bool HasFencePassed(IWorkloadFactory& factory, const FenceView& fence) {
  if (fence.kind == FenceKind::kNone) return true;
  if (fence.kind != FenceKind::kOpaque) {
    const bool has_passed = IsReadable(fence.file_descriptor, 0);
    if (has_passed) AskForOutcome(factory, fence);
    return has_passed;
  }
  const Status status = factory.WaitForFence(fence, 0);
  if (status == Status::kSuccess) return true;
  if (status == Status::kTimeout) return false;
  throw std::runtime_error("WaitForFence with a fence of the factory and no time returned " +
                           DescribeStatus(status));
}

void AwaitFence(IWorkloadFactory& factory, const FenceView& fence) {
  constexpr int kSecondMs = 1000;
  if (fence.kind == FenceKind::kNone) return;
  for (;;) {
    if (fence.kind != FenceKind::kOpaque) {
      if (!IsReadable(fence.file_descriptor, kSecondMs)) continue;
      return AskForOutcome(factory, fence);
    }
    const Status status = factory.WaitForFence(fence, kNoTimeout);
    if (status == Status::kSuccess) return;
    throw std::runtime_error("WaitForFence with a fence of the factory and kNoTimeout returned " +
                             DescribeStatus(status));
  }
}

FencedRun::FencedRun(IWorkloadFactory& factory, const IWorkload& workload, IExecutionState* state,
                     const PlacedTensors& tensors, std::vector<const Event*> events,
                     Completion completion)
    : factory_(factory),
      workload_(workload),
      events_(std::move(events)),
      args_(GetHandles(tensors.inputs), GetHandles(tensors.outputs), state) {
  for (const Event* event : events_) waits_.push_back(event->GetFence());
  args_.SetWaitFences(waits_.empty() ? nullptr : waits_.data(),
                      static_cast<std::uint32_t>(waits_.size()));
  args_.SetCompletion(completion == Completion::kNotAsked ? nullptr : &completion_,
                      GetKinds(completion));
  thread_ = std::thread([this] { Run(); });
}

FencedRun::~FencedRun() {
  for (const Event* event : events_) event->Give();
  try {
    static_cast<void>(AwaitEnd());
  } catch (...) {
    // Told already, or the rule is being left by another exception.
  }
}

void FencedRun::Run() {
  try {
    status_ = workload_.Execute(args_.Show());
  } catch (...) {
    thrown_ = std::current_exception();
  }
  has_returned_.store(true);
}

void FencedRun::Linger() const {
  std::this_thread::sleep_for(kLinger);
}

std::string FencedRun::FindFinished() const {
  if (!has_returned_.load() || thrown_ || status_ != Status::kSuccess) return "";
  if (completion_.kind == FenceKind::kNone) return "Execute had returned without a fence";
  if (!FindFenceFault(completion_).empty()) return "";
  return HasFencePassed(factory_, completion_)
             ? "its fence, " + DescribeFence(completion_) + ", had passed"
             : "";
}

Status FencedRun::AwaitReturn() {
  if (thread_.joinable()) thread_.join();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return status_;
}

bool FencedRun::AwaitEndForSeconds() {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  static_cast<void>(AwaitReturn());
  if (!FindFenceFault(completion_).empty()) return true;
  while (!HasFencePassed(factory_, completion_)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

Status FencedRun::AwaitEnd() {
  const Status status = AwaitReturn();
  if (!has_ended_ && FindFenceFault(completion_).empty()) {
    has_ended_ = true;
    AwaitFence(factory_, completion_);
  }
  return status;
}

}  // namespace backplane::check_backend
