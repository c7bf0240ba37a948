#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane::profiling {

/// When the thread that runs a network waited for the work of a step, by the steady clock.
struct WaitTime {
  std::uint64_t begin_ns = 0;  // 0: it did not wait
  std::uint64_t end_ns = 0;
};

/// When things happened in one run. Its memory is there before the run.
struct RunTimes {
  explicit RunTimes(std::size_t num_steps) : steps(num_steps + 1), waits(num_steps) {}

  void ForgetWaits() { std::fill(waits.begin(), waits.end(), WaitTime()); }

  std::vector<std::uint64_t> steps;  // the begin of the first step, and the end of each
  std::vector<WaitTime> waits;       // for each step: others may do the waiting, or nobody
};

}  // namespace backplane::profiling
