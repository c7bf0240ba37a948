#pragma once

#include <atomic>

namespace backplane::serving {

/// Stands before and behind each call into the backend. What has ended when the host makes the next
/// call is ordered before it by what goes through the host's process; the thread sanitizer sees
/// nothing of that, and is told here.
inline void OrderCalls() {
#if defined(__SANITIZE_THREAD__)
  static std::atomic<unsigned> order{0};
  order.fetch_add(1, std::memory_order_acq_rel);
#endif
}

}  // namespace backplane::serving
