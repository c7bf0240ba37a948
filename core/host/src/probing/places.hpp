#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace backplane::probing {

/// How many of those that need a processor may go on at once. One that sleeps holds no place, so
/// that the next can begin; when it wakes up it goes on at once, and the next waits the longer.
///
/// Threads: any.
class Places {
 public:
  explicit Places(std::size_t count) : num_free_(static_cast<std::ptrdiff_t>(count)) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// Waits until one is free.
  void Take();
  /// Does not wait: there may be fewer than none free then.
  void TakeAtOnce();
  void GiveBack();

 private:
  std::mutex mutex_;
  std::condition_variable is_free_;
  std::ptrdiff_t num_free_;  // guarded by mutex_
};

/// A place that is held, but for the time that its holder sleeps.
class HeldPlace {
 public:
  explicit HeldPlace(Places& places) : places_(places) { places_.Take(); }
  ~HeldPlace() {
    SetAsleep(false);
    places_.GiveBack();
  }
  HeldPlace(const HeldPlace&) = delete;
  HeldPlace& operator=(const HeldPlace&) = delete;

  void SetAsleep(bool is_asleep);

 private:
  Places& places_;
  bool is_asleep_ = false;
};

}  // namespace backplane::probing
