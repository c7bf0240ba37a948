#include <backplane/host/forks.hpp>

#include <pthread.h>

#include <atomic>

namespace backplane {
namespace {

std::atomic<std::uint32_t> num_forks{0};

}  // namespace

std::uint32_t CountForks() noexcept {
  static const int kIsCounted = pthread_atfork(nullptr, nullptr, [] { ++num_forks; });
  static_cast<void>(kIsCounted);
  return num_forks.load(std::memory_order_relaxed);
}

}  // namespace backplane
