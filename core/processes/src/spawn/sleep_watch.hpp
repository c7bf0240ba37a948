#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace backplane::spawn {

/// Looks from time to time at a process and those that it started, and tells whether they need a
/// processor or wait for something.
class SleepWatch {
 public:
  explicit SleepWatch(pid_t process) : process_(process) {}

  /// Whether they used next to none since the last time. False: at the first time, and when it
  /// cannot be found out.
  bool IsAsleep();

 private:
  pid_t process_;
  std::optional<std::uint64_t> used_ns_;  // at the last time
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace backplane::spawn
