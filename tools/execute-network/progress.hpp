#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

namespace backplane::execute_network {

/// Shows on standard error how far the runs are, when that is a terminal and they take long.
/// Threads: any.
class Progress {
 public:
  explicit Progress(std::size_t num_steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step();

 private:
  std::mutex mutex_;
  std::size_t num_steps_;
  std::size_t num_done_ = 0;
  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace backplane::execute_network
