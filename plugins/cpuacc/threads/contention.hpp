#pragma once

/// Runs take one thread while other processes use the processors.

#include <atomic>
#include <chrono>

namespace backplane {
namespace cpuacc {

/// Threads of a run wait for each other at every step, and while one has no processor, the others
/// keep theirs busy with waiting: several threads may take many times as long as one. So the runs
/// of a graph tell how long they took. When some runs in a row of several threads, a trial, all
/// took longer than one thread did, the next runs take one; then several are tried once more. Each
/// such trial that loses makes the time until the next one longer, so that little is lost by trials
/// while others use the processors, and little by waiting when that was for a moment. How long one
/// takes is found out when a run of several was interrupted for the first time; until then, and so
/// on a machine that nobody disturbs, all runs take several.
///
/// Threads: any.
class Contention {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  /// The first run of several after others of one is slower than those that follow.
  static constexpr int kRunsOfATrial = 3;
  /// One thread, for twice what the last run of a trial lost, and twice as long after each further
  /// trial, so many times at most.
  static constexpr int kMostDoublings = 6;

  bool WantsOneThread(Time now) const;
  /// How long a run of one thread took is known.
  bool KnowsOneThread() const;

  void NoteOneThread(Duration took);
  /// Interrupted: the system gave the processor of the thread that called to another.
  void NoteSeveralThreads(Time end, Duration took, bool was_interrupted);

 private:
  using Ticks = Duration::rep;

  std::atomic<Ticks> one_thread_took_{0};   // 0: not known
  std::atomic<Ticks> one_thread_until_{0};  // since the clock's epoch
  std::atomic<int> num_losses_{0};          // in a row, of several threads
};

/// One run of a graph, from here to Finish.
///
/// Threads: one.
class ContendedRun {
 public:
  /// Ownership: `contention` is borrowed and outlives this.
  explicit ContendedRun(Contention& contention);

  bool WantsOneThread() const { return wants_one_thread_; }
  void Finish(int num_threads);

 private:
  Contention& contention_;
  const Contention::Time begin_;
  const bool wants_one_thread_;
};

}  // namespace cpuacc
}  // namespace backplane
