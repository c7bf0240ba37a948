#include "profiling/run_buffer.hpp"

#include <algorithm>

namespace backplane::profiling {

RunBuffer::RunBuffer(std::size_t num_steps, std::size_t max_events)
    : times_(num_steps), lasted_ns_(num_steps), records_(max_events), totals_(num_steps) {}

void RunBuffer::RecordWaits(std::size_t num_done) {
  const auto first = times_.steps.begin();
  for (std::size_t step = 0; step < num_done; ++step) {
    const WaitTime& wait = times_.waits[step];
    if (wait.begin_ns == 0) continue;
    records_.Add({ProfileEventKind::kWait, static_cast<std::uint32_t>(step), wait.begin_ns,
                  wait.end_ns, false});
    lasted_ns_[step] += wait.end_ns - wait.begin_ns;
    // Within a step it was that which waited.
    const auto end =
        std::upper_bound(first, first + static_cast<std::ptrdiff_t>(num_done) + 1, wait.begin_ns);
    const auto waiter = static_cast<std::size_t>(end - first);
    if (waiter == 0 || waiter > num_done) continue;
    std::uint64_t& lasted_ns = lasted_ns_[waiter - 1];
    lasted_ns -= std::min(lasted_ns, wait.end_ns - wait.begin_ns);
  }
}

void RunBuffer::TakeOver(std::uint64_t begin_ns, std::uint64_t end_ns, std::size_t num_done,
                         bool has_failed) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  records_.Add({ProfileEventKind::kRun, 0, begin_ns, end_ns, has_failed});
  records_.Add({ProfileEventKind::kCopy, 0, begin_ns, times_.steps[0], false});
  std::uint64_t work_end_ns = times_.steps[num_done];
  for (std::size_t step = 0; step < num_done; ++step) {
    const bool is_last = has_failed && step + 1 == num_done;
    const std::uint64_t begin = times_.steps[step];
    const std::uint64_t end = times_.steps[step + 1];
    records_.Add({ProfileEventKind::kLayer, static_cast<std::uint32_t>(step), begin, end, is_last});
    lasted_ns_[step] = end - begin;
    work_end_ns = std::max(work_end_ns, times_.waits[step].end_ns);
  }
  RecordWaits(num_done);
  const std::size_t num_succeeded = has_failed ? num_done - 1 : num_done;
  for (std::size_t step = 0; step < num_succeeded; ++step) {
    const std::uint64_t time_ns = lasted_ns_[step];
    AddTotal(StepTotal{1, time_ns, time_ns, time_ns}, totals_[step]);
  }
  if (!has_failed) records_.Add({ProfileEventKind::kCopy, 1, work_end_ns, end_ns, false});
}

std::uint64_t RunBuffer::CountLost() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return records_.CountLost();
}

void RunBuffer::Shrink() {
  const std::lock_guard<std::mutex> lock(mutex_);
  records_.Shrink();
}

}  // namespace backplane::profiling
