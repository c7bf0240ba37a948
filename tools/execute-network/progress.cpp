#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace backplane::execute_network {

using std::chrono::steady_clock;

Progress::Progress(std::size_t num_steps)
    : num_steps_(num_steps), is_terminal_(isatty(STDERR_FILENO) != 0), last_(steady_clock::now()) {}

Progress::~Progress() {
  if (is_shown_) std::fputs("\r\x1B[K", stderr);
}

void Progress::Step() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++num_done_;
  constexpr std::chrono::milliseconds kInterval(500);
  if (!is_terminal_ || num_done_ == num_steps_ || steady_clock::now() - last_ < kInterval) return;
  last_ = steady_clock::now();
  is_shown_ = true;
  std::fprintf(stderr, "\r%zu of %zu runs", num_done_, num_steps_);
  std::fflush(stderr);
}

}  // namespace backplane::execute_network
