#include "profiling/timeline.hpp"

#include <chrono>

namespace backplane {
namespace cpuacc {

std::uint64_t StepReporter::GetTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void StepReporter::Report(const std::string& step, std::uint64_t begin_ns) const {
  TimelineEvent event;
  event.name = step;
  event.lane = lane_;
  event.begin_ns = begin_ns;
  event.end_ns = GetTime();
  // Whoever turns the timeline off during a run misses the rest of it.
  static_cast<void>(profiling_->ReportTimelineEvent(event));
}

}  // namespace cpuacc
}  // namespace backplane
