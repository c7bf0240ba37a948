#pragma once

#include <chrono>
#include <cstdint>

namespace backplane::profiling {

/// A time of the steady clock in nanoseconds.
inline std::uint64_t ToNanoseconds(std::chrono::steady_clock::time_point time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

/// Now, by the steady clock, in nanoseconds.
inline std::uint64_t Now() {
  return ToNanoseconds(std::chrono::steady_clock::now());
}

}  // namespace backplane::profiling
