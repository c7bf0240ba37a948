#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace backplane::execute_network {

/// A line of `width` columns at most: how many of the runs are done, as a bar and in numbers, and
/// how long the rest will take.
std::string MakeProgressLine(std::size_t num_done, std::size_t num_steps,
                             std::chrono::duration<double> elapsed, std::size_t width);

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
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace backplane::execute_network
