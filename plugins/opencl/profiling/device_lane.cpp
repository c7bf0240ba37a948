#include "profiling/device_lane.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

std::uint64_t GetTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

void DeviceLane::Add(const std::string& command, Owned<cl_event> event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  commands_.push_back({command, std::move(event), GetTime()});
}

bool DeviceLane::HasFinished(const Command& command) const {
  cl_int status = CL_QUEUED;
  const cl_int error = library_.clGetEventInfo(
      command.event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  return error != CL_SUCCESS || status <= CL_COMPLETE;
}

bool DeviceLane::ReadTimes(const Command& command, Times& times) const {
  const auto read = [&](cl_profiling_info what, cl_ulong& time) {
    return library_.clGetEventProfilingInfo(command.event.get(), what, sizeof(time), &time,
                                            nullptr) == CL_SUCCESS;
  };
  return read(CL_PROFILING_COMMAND_QUEUED, times.queued) &&
         read(CL_PROFILING_COMMAND_START, times.begin) && read(CL_PROFILING_COMMAND_END, times.end);
}

void DeviceLane::Report(IBackendProfiling* profiling) {
  std::vector<Command> finished;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto end = std::find_if_not(commands_.begin(), commands_.end(),
                                      [this](const Command& c) { return HasFinished(c); });
    finished.assign(std::make_move_iterator(commands_.begin()), std::make_move_iterator(end));
    commands_.erase(commands_.begin(), end);
  }
  if (profiling != nullptr && !finished.empty()) ReportCommands(finished, *profiling);
}

void DeviceLane::ReportCommands(const std::vector<Command>& commands,
                                IBackendProfiling& profiling) const {
  std::vector<std::pair<const Command*, Times>> measured;
  // The device's clock runs beside the steady one. A command was queued before the host looked at
  // its clock, so the least difference is nearest to the truth.
  auto offset = std::numeric_limits<std::int64_t>::max();
  for (const Command& command : commands) {
    Times times;
    if (!ReadTimes(command, times)) continue;
    offset = std::min(offset, static_cast<std::int64_t>(command.enqueued_ns - times.queued));
    measured.emplace_back(&command, times);
  }
  const std::uint64_t now = GetTime();
  for (const auto& [command, times] : measured) {
    TimelineEvent event;
    event.name = command->name;
    event.lane = name_;
    event.end_ns = std::min(now, times.end + static_cast<std::uint64_t>(offset));
    event.begin_ns = std::min(event.end_ns, times.begin + static_cast<std::uint64_t>(offset));
    // Whoever turns the timeline off during a run misses the rest of it.
    static_cast<void>(profiling.ReportTimelineEvent(event));
  }
}

}  // namespace opencl
}  // namespace backplane
