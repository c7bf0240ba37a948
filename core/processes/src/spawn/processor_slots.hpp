#pragma once

/// Slots for processes that need a processor.

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace backplane::spawn {

/// How many of those that need a processor may go on at once. One that sleeps holds no slot, so
/// that the next can begin; when it wakes up it goes on at once, and the next waits the longer.
///
/// Threads: any.
class ProcessorSlots {
 public:
  explicit ProcessorSlots(std::size_t count) : num_free_(static_cast<std::ptrdiff_t>(count)) {}
  ProcessorSlots(const ProcessorSlots&) = delete;
  ProcessorSlots& operator=(const ProcessorSlots&) = delete;

  /// Waits until one is free.
  void Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    is_free_.wait(lock, [this] { return num_free_ > 0; });
    --num_free_;
  }
  /// Takes one without waiting, so that fewer than none may be free, or gives one back.
  void Change(std::ptrdiff_t num_given_back) {
    const std::lock_guard<std::mutex> lock(mutex_);
    num_free_ += num_given_back;
    if (num_given_back > 0) is_free_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable is_free_;
  std::ptrdiff_t num_free_;  // guarded by mutex_
};

/// A slot that is held, but for the time that the process for which it is held sleeps.
class HeldSlot {
 public:
  explicit HeldSlot(ProcessorSlots& slots) : slots_(slots) { slots_.Take(); }
  ~HeldSlot() {
    if (!is_asleep_) slots_.Change(1);
  }
  HeldSlot(const HeldSlot&) = delete;
  HeldSlot& operator=(const HeldSlot&) = delete;

  bool IsAsleep() const { return is_asleep_; }
  /// Called from time to time. The process sleeps when it and those that it started used next to no
  /// processor time since the last call; not at the first call for it, nor when that is not known.
  void Look(pid_t process);

 private:
  bool UsedNothing(pid_t process);

  ProcessorSlots& slots_;
  bool is_asleep_ = false;
  pid_t process_ = -1;                    // at the last call
  std::optional<std::uint64_t> used_ns_;  // then
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace backplane::spawn
