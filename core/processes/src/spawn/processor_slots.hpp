#pragma once

/// Places for those that need a processor, and whether one that holds a place needs it.

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace backplane::spawn {

/// How many of those that need a processor may go on at once. One that sleeps holds no place, so
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
  /// Does not wait: there may be fewer than none free then.
  void TakeAtOnce() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --num_free_;
  }
  void GiveBack() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++num_free_;
    is_free_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable is_free_;
  std::ptrdiff_t num_free_;  // guarded by mutex_
};

/// A place that is held, but for the time that its holder sleeps.
class HeldSlot {
 public:
  explicit HeldSlot(ProcessorSlots& places) : places_(places) { places_.Take(); }
  ~HeldSlot() {
    SetAsleep(false);
    places_.GiveBack();
  }
  HeldSlot(const HeldSlot&) = delete;
  HeldSlot& operator=(const HeldSlot&) = delete;

  void SetAsleep(bool is_asleep) {
    if (is_asleep == is_asleep_) return;
    is_asleep_ = is_asleep;
    is_asleep ? places_.GiveBack() : places_.TakeAtOnce();
  }

 private:
  ProcessorSlots& places_;
  bool is_asleep_ = false;
};

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
