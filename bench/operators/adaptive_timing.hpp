#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench {

/// The median of the calls that fit the time, at least five of them, in microseconds. The first is
/// left out: it meets cold memory.
template <typename Call>
double MeasureMedianMicroseconds(const Call& call, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kLeastCalls = 5;
  call();
  std::vector<double> times;
  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin;
  while (times.size() < kLeastCalls ||
         std::chrono::duration<double>(now - begin).count() < seconds) {
    const Clock::time_point start = Clock::now();
    call();
    now = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(now - start).count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace bench
