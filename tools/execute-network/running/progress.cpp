#include "running/progress.hpp"

#include "command_line/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace backplane::execute_network {

using std::chrono::steady_clock;

std::string MakeProgressLine(std::size_t num_done, std::size_t num_steps,
                             std::chrono::duration<double> elapsed, std::size_t width) {
  const double share = static_cast<double>(num_done) / static_cast<double>(num_steps);
  const double seconds_left = num_done == 0 ? 0 : elapsed.count() * (1 / share - 1);
  const std::string numbers =
      std::to_string(num_done) + " of " + std::to_string(num_steps) + " runs, " +
      std::to_string(static_cast<std::uint64_t>(std::ceil(seconds_left))) + " s left";
  constexpr std::size_t kMaxBar = 40;
  constexpr std::size_t kFrame = 4;  // two brackets, a blank, and the last column stays free
  if (width < numbers.size() + kFrame + 1) return numbers.substr(0, width);
  const std::size_t bar = std::min(width - numbers.size() - kFrame, kMaxBar);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(bar));
  return "[" + std::string(full, '#') + std::string(bar - full, '.') + "] " + numbers;
}

Progress::Progress(std::size_t num_steps)
    : num_steps_(num_steps),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      begin_(steady_clock::now()),
      last_(begin_) {}

Progress::~Progress() {
  if (is_shown_) std::fputs("\r\x1B[K", stderr);
}

void Progress::Step() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++num_done_;
  constexpr std::chrono::milliseconds kInterval(500);
  const auto now = steady_clock::now();
  if (!is_terminal_ || num_done_ == num_steps_ || now - last_ < kInterval) return;
  last_ = now;
  is_shown_ = true;
  const std::size_t width = command_line::DescribeTerminal(STDERR_FILENO).width;
  std::fprintf(stderr, "\r%s\x1B[K",
               MakeProgressLine(num_done_, num_steps_, now - begin_, width).c_str());
  std::fflush(stderr);
}

}  // namespace backplane::execute_network
