#include "scanning/run_ahead.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <exception>
#include <thread>

namespace backplane::scanning {
namespace {

/// Blocks all signals for the threads that the calling one starts meanwhile: signals are for the
/// application's own threads.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

/// Each is two processes, with the memory that they have taken, and a few open files here, of
/// which most should be left to the application.
std::size_t CountSleeping() {
  constexpr rlim_t kMost = 32;
  constexpr rlim_t kShareOfFiles = 16;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 1;
  return static_cast<std::size_t>(std::min(kMost, files.rlim_cur / kShareOfFiles));
}

std::size_t CountProcessors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

class Workers {
 public:
  explicit Workers(const std::vector<Task>& tasks) : tasks_(tasks), places_(CountProcessors()) {
    const BlockedSignals inherited;
    const std::size_t num_threads =
        std::min(std::max(CountProcessors(), CountSleeping()), tasks.size());
    try {
      threads_.reserve(num_threads);
      for (std::size_t i = 0; i < num_threads; ++i) threads_.emplace_back([this] { Work(); });
    } catch (const std::exception&) {
      // No more threads, or no memory for one: fewer, or none, take longer; nothing else changes.
      return;
    }
  }
  ~Workers() {
    if (threads_.empty()) Work();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

 private:
  void Work() {
    for (std::size_t task = next_task_++; task < tasks_.size(); task = next_task_++) {
      probing::HeldPlace place(places_);
      try {
        tasks_[task](place);
      } catch (const std::exception&) {
        continue;  // whoever needs what was not done does it, and meets the same
      }
    }
  }

  const std::vector<Task>& tasks_;
  probing::Places places_;
  std::atomic<std::size_t> next_task_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

void RunAhead(const std::vector<Task>& tasks) {
  const Workers workers(tasks);
}

}  // namespace backplane::scanning
