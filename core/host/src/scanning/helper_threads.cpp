#include "scanning/helper_threads.hpp"

#include <backplane/host/blocked_signals.hpp>

#include <sched.h>

#include <algorithm>
#include <exception>

namespace backplane::scanning {

std::size_t CountProcessors() {
  cpu_set_t usable;
  // More than fit into a set are told by the library, which asks the system's files.
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0) {
    return std::max(1U, std::thread::hardware_concurrency());
  }
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&usable)));
}

HelperThreads::HelperThreads(std::size_t count, const std::function<void()>& work) {
  if (count == 0) return;
  const BlockedSignals inherited;
  try {
    threads_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([&work] { work(); });
  } catch (const std::exception&) {
    // No more threads, or no memory for one: fewer, or none, take longer; nothing else changes.
    return;
  }
}

HelperThreads::~HelperThreads() {
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace backplane::scanning
