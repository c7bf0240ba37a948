#include "profiling/opening_events.hpp"

#include "profiling/clock.hpp"

#include <string>

namespace backplane::profiling {

namespace {

std::string GetFileName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

void AddOpenings(const LoadReport& report, Profile& profile) {
  for (const Candidate& candidate : report.candidates) {
    const auto lane = static_cast<std::uint32_t>(profile.lanes.size());
    bool has_events = false;
    for (const StageRecord& stage : candidate.stages) {
      const auto& span = stage.in_this_process;
      if (!span || ToNanoseconds(span->begin) < profile.begin_ns) continue;
      ProfileEvent event;
      event.kind = ProfileEventKind::kOpening;
      event.lane = lane;
      event.name = GetStageName(stage.stage);
      event.begin_ns = ToNanoseconds(span->begin);
      event.end_ns = ToNanoseconds(span->end);
      event.has_failed = stage.has_failed;
      profile.events.push_back(std::move(event));
      has_events = true;
    }
    if (has_events) profile.lanes.push_back({"", "open " + GetFileName(candidate.path)});
  }
}

}  // namespace backplane::profiling
