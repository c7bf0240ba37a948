#pragma once

/// Threads of the backend's own, which help those that run networks.

#include "threads/processors.hpp"
#include "threads/shared_loop.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The helpers of one runtime: one fewer than the most threads that any loop has asked for, because
/// whoever begins a loop takes part in it. All loops share them. Nobody waits for a helper to come.
/// A helper without work looks for some for a moment, and sleeps then.
///
/// Threads: any.
class ThreadPool {
 public:
  /// `processors`: on which helpers run; empty: on those of whoever first begins a loop for them.
  explicit ThreadPool(Processors processors = {});
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// No loop goes on. Ends the helpers.
  ~ThreadPool();

  /// Does all pieces, 0 to `num_pieces`, on at most `num_threads` threads, and throws what one of
  /// them has thrown. Loops may begin others. The caller does everything where there is no room for
  /// helpers, and in a process that was forked since there were some.
  void Run(int num_threads, int num_pieces, const LoopBody& body);

  /// How many there are now.
  int CountHelpers() const { return num_helpers_.load(std::memory_order_relaxed); }

 private:
  static constexpr int kMostLoops = 32;

  struct Helpers;

  /// -1: as many loops as can be shared go on.
  int TakeLoop();
  void Announce(int loop, int num_helpers);
  bool IsForked() const;
  void Grow(int num_helpers);
  void Help(int index);
  bool HelpFrom(int first, int index);
  void WaitForLoops(std::uint32_t num_seen);

  std::array<SharedLoop, kMostLoops> loops_;
  std::atomic<std::uint32_t> taken_{0};  // a bit for each loop
  std::atomic<std::uint32_t> open_{0};   // likewise, of those that can be joined
  std::atomic<std::uint32_t> num_announced_{0};
  std::atomic<int> num_helpers_{0};
  std::atomic<int> num_asleep_{0};
  std::atomic<bool> is_ending_{false};
  const Processors processors_;
  const std::uint32_t num_forks_;
  std::unique_ptr<Helpers> helpers_;
};

}  // namespace cpuacc
}  // namespace backplane
