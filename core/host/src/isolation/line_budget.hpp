// How many lines and bytes of one process the log takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
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
  static constexpr std::int64_t kMostBytesAtOnce = 1'000'000;
  static constexpr std::int64_t kMostBytesInASecond = 100'000;

  /// Whether one more line is taken.
  bool Take(Time now, std::size_t size_bytes) {
    if (now > last_) {
      const auto passed = std::min<std::chrono::nanoseconds>(now - last_, std::chrono::seconds(60));
      lines_.Fill(passed.count());
      bytes_.Fill(passed.count());
      last_ = now;
    }
    const auto num_bytes = static_cast<std::int64_t>(std::min<std::size_t>(size_bytes, kMostBytes));
    if (!lines_.Has(1) || !bytes_.Has(num_bytes)) {
      ++num_left_out_;
      return false;
    }
    lines_.Spend(1);
    bytes_.Spend(num_bytes);
    return true;
  }
  /// How many were not, since this was called last.
  std::uint64_t TakeNumLeftOut() { return std::exchange(num_left_out_, 0); }

 private:
  static constexpr std::int64_t kNanoseconds = 1'000'000'000;
  static constexpr std::int64_t kMostBytes = kMostBytesAtOnce + 1;  // of one line: never taken

  struct Bucket {
    std::int64_t most;
    std::int64_t in_a_second;
    std::int64_t left = most * kNanoseconds;  // of one each, in nanoseconds

    void Fill(std::int64_t passed) {
      left = std::min(most * kNanoseconds, left + passed * in_a_second);
    }
    bool Has(std::int64_t number) const { return left >= number * kNanoseconds; }
    void Spend(std::int64_t number) { left -= number * kNanoseconds; }
  };

  Time last_{};
  Bucket lines_{kMostAtOnce, kMostInASecond};
  Bucket bytes_{kMostBytesAtOnce, kMostBytesInASecond};
  std::uint64_t num_left_out_ = 0;
};

}  // namespace backplane::isolation
