#include "harness/pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace backplane::check_backend {

Pipe::Pipe() {
  if (pipe2(ends_, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "a pipe between two processes");
  }
}

Pipe::~Pipe() {
  close(ends_[0]);
  CloseWriter();
}

void Pipe::Write(const std::string& text) const {
  static_cast<void>(write(ends_[1], text.data(), text.size()) == 0);
}

void Pipe::CloseWriter() {
  if (ends_[1] >= 0) close(ends_[1]);
  ends_[1] = -1;
}

std::string Pipe::Read() {
  CloseWriter();
  std::string text;
  char bytes[1024];
  for (;;) {
    const ssize_t count = read(ends_[0], bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(bytes, static_cast<std::size_t>(count));
  }
}

}  // namespace backplane::check_backend
