#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench {

/// The median of many batches of calls, in microseconds for each call. A batch is long enough for
/// the clock not to count.
template <typename Call>
double MeasureMicroseconds(const Call& call) {
  constexpr int kBatches = 200;
  constexpr int kCallsInBatch = 50;
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int batch = -kBatches / 10; batch < kBatches; ++batch) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kCallsInBatch; ++i) call();
    const std::chrono::duration<double, std::micro> took = Clock::now() - start;
    if (batch >= 0) times.push_back(took.count() / kCallsInBatch);
  }
  std::nth_element(times.begin(), times.begin() + kBatches / 2, times.end());
  return times[kBatches / 2];
}

}  // namespace bench
