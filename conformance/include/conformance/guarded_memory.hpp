#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace backplane {
namespace conformance {

/// Memory between two pages that may not be touched, also by code that no sanitizer sees.
class GuardedMemory {
 public:
  /// Which guard the memory borders on.
  enum class Side { kBehind, kBefore };

  GuardedMemory(const void* content, std::size_t size_bytes, Side side)
      : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        usable_bytes_((size_bytes / page_bytes_ + 1) * page_bytes_),
        memory_(static_cast<unsigned char*>(mmap(nullptr, usable_bytes_ + 2 * page_bytes_,
                                                 PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (memory_ == MAP_FAILED ||
        mprotect(memory_ + page_bytes_, usable_bytes_, PROT_READ | PROT_WRITE) != 0) {
      throw std::bad_alloc();
    }
    begin_ = memory_ + page_bytes_ + (side == Side::kBehind ? usable_bytes_ - size_bytes : 0);
    if (size_bytes > 0) std::memcpy(begin_, content, size_bytes);
  }
  ~GuardedMemory() { munmap(memory_, usable_bytes_ + 2 * page_bytes_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  unsigned char* GetBegin() const { return begin_; }

 private:
  std::size_t page_bytes_;
  std::size_t usable_bytes_;
  unsigned char* memory_;
  unsigned char* begin_ = nullptr;
};

}  // namespace conformance
}  // namespace backplane
