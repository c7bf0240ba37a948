#pragma once

#include <chrono>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace backplane {
namespace cpuacc {

inline void PauseProcessor() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Looks again and again whether `is_there`, for so long at most: to sleep and to be woken takes
/// some microseconds, and a thread that looks for longer keeps a processor from others. Returns
/// whether it is.
template <typename IsThere>
bool SpinFor(std::chrono::microseconds most, const IsThere& is_there) {
  constexpr int kLooksPerClock = 32;
  const auto end = std::chrono::steady_clock::now() + most;
  do {
    for (int look = 0; look < kLooksPerClock; ++look) {
      if (is_there()) return true;
      PauseProcessor();
    }
  } while (std::chrono::steady_clock::now() < end);
  return is_there();
}

}  // namespace cpuacc
}  // namespace backplane
