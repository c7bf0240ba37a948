#pragma once

/// Memory that a process shares with those that it forks: nothing that they do to their descriptors
/// can lose what is written there. The other side may write anything; readers trust nothing.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace backplane::spawn {

/// A text that one process writes and another reads at any time, also when the first has died in
/// the middle of it. Writing is safe in signal handlers.
template <std::size_t kBytes>
class SharedText {
 public:
  /// Longer texts are cut.
  void Set(std::string_view text) {
    size_bytes_.store(0);
    Append(text);
  }
  void Append(std::string_view text) {
    const std::size_t begin = std::min(size_bytes_.load(), kBytes);
    const std::size_t more = std::min(text.size(), kBytes - begin);
    std::memcpy(bytes_ + begin, text.data(), more);
    size_bytes_.store(begin + more);
  }
  std::string Get() const { return {bytes_, std::min(size_bytes_.load(), kBytes)}; }

 private:
  std::atomic<std::size_t> size_bytes_;
  char bytes_[kBytes];
};
static_assert(std::atomic<std::size_t>::is_always_lock_free);

/// One that a forked child shares. What has no initialiser is zero, and takes no memory before it
/// is written. Null: there is no memory for it.
template <typename Value>
Value* MapShared() {
  void* const memory =
      mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Value;
}

}  // namespace backplane::spawn
