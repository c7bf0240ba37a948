#pragma once

/// A file descriptor that is closed by its owner.

#include <unistd.h>

#include <utility>

namespace backplane {
namespace opencl {

class Descriptor {
 public:
  /// Takes it over. Negative: none.
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  int Get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// An eventfd that is not readable yet.
/// Errors: std::system_error.
Descriptor MakeEventFd();

/// Makes an eventfd readable.
void Signal(const Descriptor& event_fd) noexcept;

/// Makes it not readable any more.
void Clear(const Descriptor& event_fd) noexcept;

}  // namespace opencl
}  // namespace backplane
