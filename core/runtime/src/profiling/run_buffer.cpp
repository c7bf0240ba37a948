#include "profiling/run_buffer.hpp"

#include <algorithm>

namespace backplane::profiling {

namespace {

void AddTime(std::uint64_t time_ns, StepTotal& total) {
  AddTotal({1, time_ns, time_ns, time_ns}, total);
}

}  // namespace

void AddTotal(const StepTotal& other, StepTotal& total) {
  if (other.num_runs == 0) return;
  total.min_ns = total.num_runs == 0 ? other.min_ns : std::min(total.min_ns, other.min_ns);
  total.max_ns = std::max(total.max_ns, other.max_ns);
  total.num_runs += other.num_runs;
  total.total_ns += other.total_ns;
}

RunBuffer::RunBuffer(std::size_t num_steps, std::size_t max_events)
    : step_times_(num_steps + 1), records_(max_events), totals_(num_steps) {}

void RunBuffer::TakeOver(std::uint64_t begin_ns, std::uint64_t end_ns, std::size_t num_done,
                         bool has_failed) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  records_.Add({ProfileEventKind::kRun, 0, begin_ns, end_ns, has_failed});
  records_.Add({ProfileEventKind::kCopy, 0, begin_ns, step_times_[0], false});
  for (std::size_t step = 0; step < num_done; ++step) {
    const bool is_last = has_failed && step + 1 == num_done;
    const std::uint64_t begin = step_times_[step];
    const std::uint64_t end = step_times_[step + 1];
    records_.Add({ProfileEventKind::kLayer, static_cast<std::uint32_t>(step), begin, end, is_last});
    if (!is_last) AddTime(end - begin, totals_[step]);
  }
  if (!has_failed) {
    records_.Add({ProfileEventKind::kCopy, 1, step_times_[num_done], end_ns, false});
  }
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
