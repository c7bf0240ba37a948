#include "execution/await_fence.hpp"

#include <poll.h>
#include <sys/uio.h>

#include <cerrno>
#include <utility>

namespace backplane {

namespace {

// Longer than anything should take, and short enough to be counted in any clock.
constexpr std::uint64_t kSliceNs = 1'000'000'000;

bool IsReadableInTheEnd(int descriptor) {
  pollfd request{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&request, 1, -1);
  } while (ready < 0 && (errno == EINTR || errno == EAGAIN));
  return ready == 1 && (request.revents & POLLIN) != 0;
}

// Reads nothing. Sanitizers take poll for no synchronisation, but this.
void AcquireFrom(int descriptor) {
  const iovec nothing{};
  static_cast<void>(readv(descriptor, &nothing, 0));
}

AwaitOutcome AwaitOpaque(const FenceView& fence, const PluginObject<IWorkloadFactory>& factory) {
  for (;;) {
    auto result = factory.Call<&IWorkloadFactory::WaitForFence>(fence, kSliceNs);
    if (result.HasFailed()) return {{}, std::move(result.failure)};
    if (result.value == Status::kSuccess) return {};
    if (result.value == Status::kTimeout) continue;
    return {{FenceFault::Kind::kNotWaitedFor, result.value, fence}, nullptr};
  }
}

}  // namespace

AwaitOutcome AwaitFence(const FenceView& fence,
                        const PluginObject<IWorkloadFactory>& factory) noexcept {
  if (fence.kind == FenceKind::kNone) return {};
  if (fence.kind == FenceKind::kOpaque) return AwaitOpaque(fence, factory);
  if (!IsReadableInTheEnd(fence.file_descriptor)) {
    return {{FenceFault::Kind::kNotPolled, Status::kSuccess, fence}, nullptr};
  }
  AcquireFrom(fence.file_descriptor);
  return {};
}

}  // namespace backplane
