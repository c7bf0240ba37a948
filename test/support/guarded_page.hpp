#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace backplane::test {

/// Memory behind whose end nothing may be touched: a page that may be used, and one that may not.
class GuardedPage {
 public:
  GuardedPage()
      : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        memory_(mmap(nullptr, 2 * page_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED || mprotect(GetEnd(), page_bytes_, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
  }
  ~GuardedPage() { munmap(memory_, 2 * page_bytes_); }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  /// A copy of these bytes, of which the last is the last that may be touched.
  void* PlaceAtEnd(const void* content, std::size_t size_bytes) const {
    return std::memcpy(GetEnd() - size_bytes, content, size_bytes);
  }

 private:
  unsigned char* GetEnd() const { return static_cast<unsigned char*>(memory_) + page_bytes_; }

  std::size_t page_bytes_;
  void* memory_;
};

}  // namespace backplane::test
