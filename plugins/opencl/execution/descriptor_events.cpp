#include "execution/execution_state.hpp"

#include "execution/descriptor.hpp"
#include "library/errors.hpp"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <memory>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

constexpr int kForEver = -1;

/// What poll says of a descriptor; 0: nothing, it is not readable yet.
short Poll(int descriptor, int timeout_ms) {
  pollfd request{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&request, 1, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready < 0 ? POLLNVAL : request.revents;
}

}  // namespace

Status DescriptorEvents::Make(cl_context context, int descriptor, Owned<cl_event>& event) {
  event = nullptr;
  if (descriptor < 0) return Status::kFailure;
  const short now = Poll(descriptor, 0);
  if (now != 0) return (now & POLLIN) != 0 ? Status::kSuccess : Status::kFailure;
  // Its owner may close it when a run has failed, and this work is still there.
  const auto own = std::make_shared<Descriptor>(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (own->Get() < 0) return Status::kFailure;
  cl_int error = CL_SUCCESS;
  event = Own(library_.clCreateUserEvent(context, &error), library_.clReleaseEvent);
  Check(error, "clCreateUserEvent");
  thread_.Add([this, own, event] {
    const bool has_passed = (Poll(own->Get(), kForEver) & POLLIN) != 0;
    static_cast<void>(
        library_.clSetUserEventStatus(event.get(), has_passed ? CL_COMPLETE : CL_INVALID_VALUE));
  });
  return Status::kSuccess;
}

}  // namespace opencl
}  // namespace backplane
