#include "execution/await_fence.hpp"

#include <poll.h>
#include <sys/uio.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

namespace backplane {

namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

// Longer than anything should take, and short enough to be counted in any clock.
constexpr std::chrono::seconds kSlice{1};

/// The slices in which one waits.
class Wait {
 public:
  explicit Wait(const RunLimit* limit) : limit_(limit) {}

  nanoseconds GetSlice() const {
    return limit_ != nullptr ? limit_->GetWait(steady_clock::now()) : kSlice;
  }
  std::uint64_t GetSliceNs() const {
    return limit_ != nullptr ? static_cast<std::uint64_t>(GetSlice().count()) : kNoTimeout;
  }
  /// What ends the waiting, after a slice in which the fence did not pass.
  RunStop Check() const {
    return limit_ != nullptr ? limit_->Check(steady_clock::now()) : RunStop::kNone;
  }

 private:
  const RunLimit* limit_;
};

enum class Polled { kReadable, kNotYet, kWrong };

Polled Poll(int descriptor, nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec timeout{seconds.count(), (time - seconds).count()};
  pollfd request{descriptor, POLLIN, 0};
  const int ready = ppoll(&request, 1, &timeout, nullptr);
  if (ready == 0 || (ready < 0 && (errno == EINTR || errno == EAGAIN))) return Polled::kNotYet;
  return ready == 1 && (request.revents & POLLIN) != 0 ? Polled::kReadable : Polled::kWrong;
}

// Reads nothing. Sanitizers take poll for no synchronisation, but this.
void AcquireFrom(int descriptor) {
  const iovec nothing{};
  static_cast<void>(readv(descriptor, &nothing, 0));
}

AwaitOutcome AwaitDescriptor(const FenceView& fence, const Wait& wait) {
  for (;;) {
    const Polled polled = Poll(fence.file_descriptor, wait.GetSlice());
    if (polled == Polled::kWrong) {
      return {{FenceFault::Kind::kNotPolled, Status::kSuccess, fence}, nullptr};
    }
    if (polled == Polled::kReadable) {
      AcquireFrom(fence.file_descriptor);
      return {};
    }
    const RunStop stop = wait.Check();
    if (stop != RunStop::kNone) return {{}, nullptr, stop};
  }
}

AwaitOutcome AskFactory(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory,
                        const Wait& wait) {
  for (;;) {
    auto result = factory.Call<&IWorkloadFactory::WaitForFence>(fence, wait.GetSliceNs());
    if (result.HasFailed()) return {{}, std::move(result.failure)};
    if (result.value == Status::kSuccess) return {};
    if (result.value != Status::kTimeout) {
      return {{FenceFault::Kind::kNotWaitedFor, result.value, fence}, nullptr};
    }
    const RunStop stop = wait.Check();
    if (stop != RunStop::kNone) return {{}, nullptr, stop};
  }
}

}  // namespace

AwaitOutcome AwaitFence(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory,
                        const RunLimit* limit) noexcept {
  const Wait wait(limit);
  if (fence.kind == FenceKind::kNone) return {};
  if (fence.kind == FenceKind::kOpaque) return AskFactory(fence, factory, wait);
  AwaitOutcome outcome = AwaitDescriptor(fence, wait);
  const bool has_passed =
      outcome.fault.kind == FenceFault::Kind::kNone && outcome.stop == RunStop::kNone;
  // How the work ended, a descriptor cannot say.
  return has_passed && fence.token != 0 ? AskFactory(fence, factory, wait) : std::move(outcome);
}

}  // namespace backplane
