#include "execution/descriptor.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

namespace backplane {
namespace opencl {

Descriptor MakeEventFd() {
  Descriptor made(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (made.Get() < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return made;
}

void Signal(const Descriptor& event_fd) noexcept {
  static_cast<void>(eventfd_write(event_fd.Get(), 1));
}

void Clear(const Descriptor& event_fd) noexcept {
  eventfd_t count = 0;
  static_cast<void>(eventfd_read(event_fd.Get(), &count));
}

}  // namespace opencl
}  // namespace backplane
