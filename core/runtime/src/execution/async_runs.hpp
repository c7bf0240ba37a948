#pragma once

#include "execution/run_queue.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/run_options.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace backplane {

/// The asynchronous runs of one runtime: their queue, and the threads that run them. Threads are
/// started when there is something for them to do, up to as many as the settings say, and one more
/// that ends runs in the queue, when all others are taken.
///
/// Ownership: shared with the threads, so that one that hangs keeps it.
/// Threads: any.
class AsyncRuns : public std::enable_shared_from_this<AsyncRuns> {
 public:
  using Run = RunQueue::Run;
  using Time = RunLimit::Time;
  /// Runs one, on a thread of its own. Throws nothing but std::bad_alloc.
  using Execute = std::function<RunResult(const QueuedRun&)>;

  AsyncRuns(const AsyncRunSettings& settings, Execute execute);
  /// After Join.
  ~AsyncRuns() = default;
  AsyncRuns(const AsyncRuns&) = delete;
  AsyncRuns& operator=(const AsyncRuns&) = delete;

  /// Accepts a run, or refuses it: then nobody is told.
  /// Errors: as IRuntime::EnqueueWorkloadAsync.
  Status Enqueue(const Run& run, std::chrono::nanoseconds max_wait,
                 std::optional<Diagnostic>* failure);

  /// Cancels the queued runs of a network.
  void CancelAllOf(NetworkId network);

  /// Cancels what is queued, and accepts nothing any more.
  void Stop();

  /// Waits until all threads have ended, at most until `deadline`; those that have not are left to
  /// themselves, and what they run is told so. Returns how many hang in a handler.
  /// Called once, after Stop.
  std::size_t Join(Time deadline);

 private:
  /// A thread, and what it does at the moment.
  struct Worker {
    std::thread thread;
    Run current;  // null: nothing
    bool is_in_handler = false;
    bool has_ended = false;
  };
  /// What is left of the threads when all was stopped: those without a run end at once.
  enum class Busy { kNone, kEnding, kWithRuns };
  using Loop = void (AsyncRuns::*)(Worker&);

  bool HasRoom() const;
  RunResult AwaitRoom(std::unique_lock<std::mutex>& lock, const QueuedRun& run,
                      std::chrono::nanoseconds max_wait);
  bool StartThreads(const QueuedRun& run);
  bool Start(Loop loop, const char* name);
  void RunAll(Worker& worker);
  void RunNext(Worker& worker, std::unique_lock<std::mutex>& lock);
  void EndStopped(Worker& worker);
  Busy GetBusy() const;

  const std::size_t num_threads_;
  const std::size_t capacity_;  // of runs that wait or go on
  const Execute execute_;
  std::mutex mutex_;
  std::condition_variable came_;     // a run, for the threads that run them
  std::condition_variable room_;     // for those who wait to be accepted
  std::condition_variable changed_;  // the queue, for the thread that ends runs in it
  std::condition_variable ended_;    // a thread
  RunQueue queue_;
  std::list<Worker> workers_;
  std::size_t num_runners_ = 0;  // of the threads
  std::size_t num_idle_ = 0;     // of the runners
  std::size_t num_running_ = 0;  // of the runs
  bool has_keeper_ = false;      // the thread that ends runs in the queue
  bool is_stopped_ = false;
};

}  // namespace backplane
