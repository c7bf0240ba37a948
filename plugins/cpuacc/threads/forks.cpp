#include "threads/forks.hpp"

#include <pthread.h>

#include <atomic>

namespace backplane {
namespace cpuacc {
namespace {

std::atomic<std::uint32_t> num_forks{0};

}  // namespace

std::uint32_t CountForks() {
  // The system forgets this when the library that asked for it is closed.
  static const int is_counted = pthread_atfork(nullptr, nullptr, [] { ++num_forks; });
  static_cast<void>(is_counted);
  return num_forks.load(std::memory_order_relaxed);
}

}  // namespace cpuacc
}  // namespace backplane
