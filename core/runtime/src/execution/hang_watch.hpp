#pragma once

#include "execution/run_limit.hpp"

#include <backplane/runtime/run_in_progress.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace backplane {

/// Names the runs that do not come back when they should, while they hang: shortly after the
/// deadline or the cancellation, and then at growing intervals. Its thread is started with the
/// first run that it watches.
///
/// Threads: any.
class HangWatch {
 public:
  using Time = RunLimit::Time;
  /// Where the run is at the moment. Called by any thread while the run is watched.
  using Look = std::function<RunInProgress()>;
  using Tell = std::function<void(const Diagnostic&)>;

  /// `tell` is called by one thread at a time.
  explicit HangWatch(Tell tell);
  /// No run is watched any more.
  ~HangWatch();
  HangWatch(const HangWatch&) = delete;
  HangWatch& operator=(const HangWatch&) = delete;

  /// One run, for as long as it goes on.
  class Watched;

 private:
  // In a ring, so that watching a run allocates nothing.
  struct Entry {
    Entry* previous = this;
    Entry* next = this;
    CancellationToken cancellation;
    Time due = Time::max();                // when it is told next; max: when it is cancelled
    std::chrono::nanoseconds interval{0};  // zero: it was not told yet
    Look look;
  };

  void Add(Entry& entry);
  void Remove(Entry& entry) noexcept;
  void Start();
  void Work();
  Time TellDue(std::unique_lock<std::mutex>& lock);
  void TellAll(const std::vector<RunInProgress>& hanging) const noexcept;
  Time CollectDue(Time now, std::vector<RunInProgress>& hanging) noexcept;

  const Tell tell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Entry entries_;               // where the ring begins and ends
  Time wake_at_ = Time::max();  // of the thread; max: when it is woken
  bool is_ending_ = false;
  std::thread thread_;
  bool has_thread_ = false;  // or none could be started
};

class HangWatch::Watched {
 public:
  /// Borrows the watch. A run without bounds is not watched.
  Watched(HangWatch& watch, const RunLimit& limit, Look look);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  HangWatch& watch_;
  Entry entry_;
  const bool is_watched_;
};

}  // namespace backplane
