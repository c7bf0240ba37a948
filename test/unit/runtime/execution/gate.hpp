#pragma once

/// What tests hold back threads with, and wait for.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace backplane {

/// Longer than anything takes, on any machine.
constexpr std::chrono::minutes kGenerous{2};

/// Holds back whoever passes until it is opened. Closed gates open when they are destroyed.
class Gate {
 public:
  Gate() = default;
  ~Gate() { Open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void Open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

  void Pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++num_arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
  }

  /// Waits until so many have come.
  void AwaitArrivals(int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + kGenerous;
    while (num_arrived_ < count && std::chrono::steady_clock::now() < end) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
    EXPECT_GE(num_arrived_, count);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int num_arrived_ = 0;
};

/// Waits until it is so; false when it never was.
inline bool Await(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + kGenerous;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace backplane
