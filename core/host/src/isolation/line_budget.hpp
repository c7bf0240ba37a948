// How many lines of one process the log takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace backplane::isolation {

/// Many at once, and then so many in a second: a process that writes without an end fills no disk.
///
/// Threads: one at a time.
class LineBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::int64_t kMostAtOnce = 10'000;
  static constexpr std::int64_t kMostInASecond = 1'000;

  /// Whether one more line is taken.
  bool Take(Time now) {
    if (now > last_) {
      const auto passed = std::min<std::chrono::nanoseconds>(now - last_, std::chrono::seconds(60));
      left_ = std::min(kMostAtOnce * kNanoseconds, left_ + passed.count() * kMostInASecond);
      last_ = now;
    }
    if (left_ < kNanoseconds) {
      ++num_left_out_;
      return false;
    }
    left_ -= kNanoseconds;
    return true;
  }
  /// How many were not, since this was called last.
  std::uint64_t TakeNumLeftOut() { return std::exchange(num_left_out_, 0); }

 private:
  static constexpr std::int64_t kNanoseconds = 1'000'000'000;

  Time last_{};
  std::int64_t left_ = kMostAtOnce * kNanoseconds;  // of a line each, in nanoseconds
  std::uint64_t num_left_out_ = 0;
};

}  // namespace backplane::isolation
