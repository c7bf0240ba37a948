#pragma once

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace backplane::execute_network {

/// How much longer than its time a run, or what is waited for at the end, may take before the
/// command ends without it.
constexpr std::chrono::seconds kRunGrace{1};

/// Ends the command when a run takes longer than it may and does not come back: its thread cannot
/// be ended.
///
/// Threads: any.
class RunGuard {
 public:
  /// Says why, and ends the process.
  using GiveUp = std::function<void(const Diagnostic&)>;

  /// Without a timeout, nothing is guarded. Borrows the runtime.
  RunGuard(const IRuntime& runtime, std::optional<std::chrono::milliseconds> timeout,
           GiveUp give_up);
  ~RunGuard();
  RunGuard(const RunGuard&) = delete;
  RunGuard& operator=(const RunGuard&) = delete;

  /// The bounds of a run that begins now.
  RunOptions GetRunOptions() const;

  /// One run that goes on, for the life of the object.
  class Guarded {
   public:
    explicit Guarded(RunGuard& guard);
    ~Guarded();
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

   private:
    RunGuard& guard_;
    std::multiset<std::chrono::steady_clock::time_point>::iterator end_;
  };

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Watch();
  Diagnostic DescribeHanging() const;

  const IRuntime& runtime_;
  const std::optional<std::chrono::milliseconds> timeout_;
  const GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multiset<Time> ends_;  // of the runs that go on
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace backplane::execute_network
