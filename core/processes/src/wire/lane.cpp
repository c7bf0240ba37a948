#include "wire/lane.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace backplane::wire {
namespace {

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

long Futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word), operation, value,
                 timeout, nullptr, 0);
}

}  // namespace

void WaitForWord(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                 std::uint64_t timeout_ns) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(timeout_ns / kNanoseconds);
  timeout.tv_nsec = static_cast<long>(timeout_ns % kNanoseconds);
  Futex(word, FUTEX_WAIT, seen, &timeout);
}

void WakeWord(const std::atomic<std::uint32_t>& word) {
  Futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace backplane::wire
