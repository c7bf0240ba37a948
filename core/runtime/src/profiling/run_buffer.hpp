#pragma once

#include "profiling/ring.hpp"

#include <backplane/runtime/profiling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace backplane::profiling {

/// All successful runs of one step.
struct StepTotal {
  std::uint64_t num_runs = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t min_ns = 0;
  std::uint64_t max_ns = 0;
};

/// Adds what `other` counted. Both have the fields of StepTotal.
template <typename From, typename To>
void AddTotal(const From& other, To& total) {
  if (other.num_runs == 0) return;
  total.min_ns = total.num_runs == 0 ? other.min_ns : std::min(total.min_ns, other.min_ns);
  total.max_ns = std::max(total.max_ns, other.max_ns);
  total.num_runs += other.num_runs;
  total.total_ns += other.total_ns;
}

/// When the thread that runs a network waited for the work of a step, by the steady clock.
struct WaitTime {
  std::uint64_t begin_ns = 0;  // 0: it did not wait
  std::uint64_t end_ns = 0;
};

/// When things happened in one run. Its memory is there before the run.
struct RunTimes {
  explicit RunTimes(std::size_t num_steps) : steps(num_steps + 1), waits(num_steps) {}

  void ForgetWaits() { std::fill(waits.begin(), waits.end(), WaitTime()); }

  std::vector<std::uint64_t> steps;  // the begin of the first step, and the end of each
  std::vector<WaitTime> waits;       // for each step: others may do the waiting, or nobody
};

/// What one run among those that go on at the same time measures. The times of a run are written by
/// the thread that runs; it takes them over here when the run has ended.
class RunBuffer {
 public:
  RunBuffer(std::size_t num_steps, std::size_t max_events);

  /// Threads: the one that runs.
  RunTimes& GetTimes() { return times_; }

  /// Takes over a run in which the first `num_done` steps were run; the last of them failed when
  /// there are more. What the run waited for counts for the step whose work that was, and not for
  /// the one before which it waited. Allocates nothing.
  /// Threads: the one that runs.
  void TakeOver(std::uint64_t begin_ns, std::uint64_t end_ns, std::size_t num_done,
                bool has_failed) noexcept;

  /// One thing that lasted.
  struct Record {
    ProfileEventKind kind = ProfileEventKind::kRun;
    std::uint32_t index = 0;  // of the step; of copies: 0 inputs, 1 outputs
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
    bool has_failed = false;
  };

  /// Calls `take_record` for each record and `take_total` for each step. Threads: any.
  template <typename TakeRecord, typename TakeTotal>
  void Read(const TakeRecord& take_record, const TakeTotal& take_total) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    records_.ForEach(take_record);
    for (std::size_t step = 0; step < totals_.size(); ++step) take_total(step, totals_[step]);
  }

  /// Threads: any.
  std::uint64_t CountLost() const;
  /// Lets go of memory that is not used: there are no more runs.
  void Shrink();

 private:
  void RecordWaits(std::size_t num_done);

  RunTimes times_;
  std::vector<std::uint64_t> lasted_ns_;  // of TakeOver, for each step

  mutable std::mutex mutex_;  // guards what is below
  Ring<Record> records_;
  std::vector<StepTotal> totals_;
};

}  // namespace backplane::profiling
