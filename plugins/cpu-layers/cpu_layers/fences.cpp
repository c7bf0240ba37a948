#include "cpu_layers/fences.hpp"

#include <poll.h>

#include <cerrno>

namespace backplane {
namespace cpu_layers {
namespace {

/// Both kinds of descriptors become readable when the work has finished.
Status WaitForDescriptor(std::int32_t descriptor) {
  pollfd request{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&request, 1, -1);
  } while (ready < 0 && errno == EINTR);
  return ready == 1 && (request.revents & POLLIN) != 0 ? Status::kSuccess : Status::kFailure;
}

Status WaitForFence(const FenceView& fence) {
  switch (fence.kind) {
    case FenceKind::kNone:
      return Status::kSuccess;
    case FenceKind::kSyncFile:
    case FenceKind::kEventFd:
      return WaitForDescriptor(fence.file_descriptor);
    case FenceKind::kOpaque:
      break;
  }
  return Status::kUnsupported;
}

}  // namespace

Status WaitForFences(const FenceView* fences, std::uint32_t count) {
  for (std::uint32_t index = 0; index < count; ++index) {
    const Status status = WaitForFence(fences[index]);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

}  // namespace cpu_layers
}  // namespace backplane
