#include "result_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace backplane::list_backends {

ResultStream::ResultStream() : descriptor_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
  std::fflush(stdout);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

ResultStream::~ResultStream() {
  if (descriptor_ >= 0) close(descriptor_);
}

int ResultStream::Write(const std::string& text) const {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace backplane::list_backends
