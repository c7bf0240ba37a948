// Guards around each call into the backend.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>

namespace backplane::serving {

/// Stands before and behind each call. What has ended when the host makes the next call is ordered
/// before it by what goes through the host's process; the thread sanitizer sees nothing of that,
/// and is told here.
inline void OrderCalls() {
#if defined(__SANITIZE_THREAD__)
  static std::atomic<unsigned> order{0};
  order.fetch_add(1, std::memory_order_acq_rel);
#endif
}

/// Where the backend forks and returns in both processes, the second one ends here: the host is
/// answered once.
class EndCopy {
 public:
  explicit EndCopy(pid_t process) : process_(process) {}
  ~EndCopy() {
    if (getpid() != process_) _exit(0);
  }
  EndCopy(const EndCopy&) = delete;
  EndCopy& operator=(const EndCopy&) = delete;

 private:
  const pid_t process_;
};

}  // namespace backplane::serving
